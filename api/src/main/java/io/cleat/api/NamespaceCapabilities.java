package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What jobs in a namespace may use. Null and empty are the same: any task driver, none forbidden.
 *
 * @param EnabledNetworkModes not supported
 * @param DisabledNetworkModes not supported
 */
public record NamespaceCapabilities(
        @Nullable List<String> EnabledTaskDrivers,
        @Nullable List<String> DisabledTaskDrivers,
        @Nullable List<String> EnabledNetworkModes,
        @Nullable List<String> DisabledNetworkModes) {}
