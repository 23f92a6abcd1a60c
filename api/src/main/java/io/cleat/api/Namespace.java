package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A namespace.
 *
 * @param Hash of what it says; ignored where it is sent
 */
public record Namespace(
        @Nullable NamespaceCapabilities Capabilities,
        @Nullable RawJson ConsulConfiguration,
        long CreateIndex,
        String Description,
        @Nullable String Hash,
        @Nullable Map<String, String> Meta,
        long ModifyIndex,
        String Name,
        @Nullable RawJson NodePoolConfiguration,
        @Nullable RawJson OptionalExtraClaims,
        String Quota,
        @Nullable RawJson RequiredExtraClaims,
        @Nullable RawJson VaultConfiguration) {}
