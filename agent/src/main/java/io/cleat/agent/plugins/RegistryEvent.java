package io.cleat.agent.plugins;

import java.util.List;

/** What a subscriber of the registry is told. */
public sealed interface RegistryEvent {
    /** All that was registered when it subscribed, or when it had fallen too far behind to be told each. */
    record Snapshot(List<Registration> current) implements RegistryEvent {
        public Snapshot {
            current = List.copyOf(current);
        }
    }

    record Registered(Registration registration) implements RegistryEvent {}

    /** A known instance says something else of itself. */
    record Updated(Registration registration) implements RegistryEvent {}

    record Deregistered(Registration registration) implements RegistryEvent {}
}
