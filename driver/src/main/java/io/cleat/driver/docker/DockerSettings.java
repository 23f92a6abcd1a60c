package io.cleat.driver.docker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a node's operator says of {@code docker} tasks: where the engine is, and what they may ask for.
 *
 * @param socket where the engine listens
 * @param allowed what tasks may ask for beyond what every one has
 * @param authConfig a file in the form of Docker's {@code config.json}; empty for none
 * @param authHelper the program {@code docker-credential-NAME} that gives credentials; empty for none
 * @param pullIdle how long a pull may go on without progress
 * @param imageDelay how long an image that was pulled stays after its last task; empty for ever
 * @param strayGrace how old a container of this node is at least that nobody knows and is removed
 */
public record DockerSettings(
        Path socket,
        Allowed allowed,
        Optional<Path> authConfig,
        String authHelper,
        Duration pullIdle,
        Optional<Duration> imageDelay,
        Duration strayGrace) {
    /** Where Docker listens unless told otherwise. */
    public static final Path USUAL_SOCKET = Path.of("/var/run/docker.sock");

    /** How long an image stays unless told otherwise. */
    public static final Duration USUAL_IMAGE_DELAY = Duration.ofMinutes(3);

    /** The engine at its usual place, and nothing beyond what every task has. */
    public static final DockerSettings STRICT = new DockerSettings(
            USUAL_SOCKET,
            Allowed.NOTHING,
            Optional.empty(),
            "",
            Duration.ofMinutes(2),
            Optional.of(USUAL_IMAGE_DELAY),
            Duration.ofMinutes(5));

    /** What the engine gives every container; Docker's list without {@code net_raw}. */
    private static final Set<String> CAPABILITIES = Set.of(
            "audit_write",
            "chown",
            "dac_override",
            "fowner",
            "fsetid",
            "kill",
            "mknod",
            "net_bind_service",
            "setfcap",
            "setgid",
            "setpcap",
            "setuid",
            "sys_chroot");

    /**
     * What tasks may ask for.
     *
     * @param privileged whether {@code privileged = true}, which makes a task root of the machine
     * @param capabilities what {@code cap_add} may name beside the usual ones, as in {@code net_admin}
     * @param hostPaths directories that tasks may mount, or what lies below them
     * @param namedVolumes whether tasks may mount volumes of the engine
     * @param hostNamespaces whether {@code pid_mode}, {@code ipc_mode}, {@code uts_mode} and {@code userns_mode} may be
     *     {@code host}
     * @param devices devices of the machine that tasks may use
     */
    public record Allowed(
            boolean privileged,
            Set<String> capabilities,
            List<Path> hostPaths,
            boolean namedVolumes,
            boolean hostNamespaces,
            List<Path> devices) {
        /** Nothing beyond what every task has. */
        public static final Allowed NOTHING = new Allowed(false, Set.of(), List.of(), false, false, List.of());

        public Allowed {
            capabilities = Set.copyOf(capabilities);
            hostPaths = List.copyOf(hostPaths);
            devices = List.copyOf(devices);
        }

        /** All that {@code cap_add} may name. */
        Set<String> addable() {
            Set<String> all = new TreeSet<>(CAPABILITIES);
            all.addAll(capabilities);
            return all;
        }
    }

    /** The capabilities that a task has unless its job says otherwise. */
    static Set<String> usualCapabilities() {
        return CAPABILITIES;
    }
}
