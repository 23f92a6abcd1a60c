package io.cleat.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One plugin on one node: an entry of a controller map has only {@code ControllerInfo}, one of a node map only
 * {@code NodeInfo}.
 */
public record PluginInstance(
        String AllocID,
        @OmitEmpty @Nullable PluginController ControllerInfo,
        String HealthDescription,
        boolean Healthy,
        @OmitEmpty @Nullable PluginNode NodeInfo,
        String PluginID,
        String Provider,
        String ProviderVersion,
        boolean RequiresControllerPlugin,
        boolean RequiresTopologies,
        @Nullable Instant UpdateTime) {}
