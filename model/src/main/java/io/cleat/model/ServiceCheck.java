package io.cleat.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a node does from time to time to see whether a service works.
 *
 * @param name one of the service's checks has it
 * @param portLabel the port, by label or number; empty for the service's
 * @param address {@link AddressMode#AUTO} for where the service is found
 * @param interval between two beginnings
 * @param timeout of each
 * @param task in which a script runs, and which {@code restart} starts again; empty for the service's
 * @param restart null for never
 */
public record ServiceCheck(
        String name,
        ServiceProbe probe,
        String portLabel,
        AddressMode address,
        Duration interval,
        Duration timeout,
        OnUpdate onUpdate,
        String task,
        @Nullable CheckRestart restart) {}
