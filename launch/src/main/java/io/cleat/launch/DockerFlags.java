package io.cleat.launch;

import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.driver.docker.DockerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The flags of a node for tasks of the driver {@code docker}. */
final class DockerFlags {
    static final String SOCKET = "docker-socket";
    private static final String PRIVILEGED = "docker-allow-privileged";
    private static final String CAPABILITY = "docker-allow-cap";
    private static final String PATH = "docker-allow-path";
    private static final String VOLUMES = "docker-allow-volumes";
    private static final String NAMESPACES = "docker-allow-host-namespaces";
    private static final String DEVICE = "docker-allow-device";
    private static final String AUTH_CONFIG = "docker-auth-config";
    private static final String AUTH_HELPER = "docker-auth-helper";
    private static final String IMAGE_DELAY = "docker-image-delay";
    private static final String KEEP_IMAGES = "docker-keep-images";

    static final Flag SOCKET_FLAG = Flag.value(
            SOCKET,
            "path",
            "The socket of the engine that runs docker tasks: Docker's, or Podman's service; "
                    + DockerSettings.USUAL_SOCKET
                    + " unless given.");

    static final List<Flag> OWN = List.of(
            SOCKET_FLAG,
            Flag.yes(PRIVILEGED, "Let docker tasks be privileged, which makes them root of this machine."),
            Flag.repeated(CAPABILITY, "name", "A capability that docker tasks may have too, such as net_admin."),
            Flag.repeated(PATH, "directory", "A directory of this machine that docker tasks may mount."),
            Flag.yes(VOLUMES, "Let docker tasks mount volumes of the engine."),
            Flag.yes(
                    NAMESPACES,
                    "Let docker tasks see all processes: pid_mode, ipc_mode, uts_mode and userns_mode host."),
            Flag.repeated(DEVICE, "path", "A device of this machine that docker tasks may use."),
            Flag.value(AUTH_CONFIG, "file", "Credentials of registries, in the form of Docker's config.json."),
            Flag.value(AUTH_HELPER, "name", "The program docker-credential-NAME, which is asked for credentials."),
            Flag.value(
                    IMAGE_DELAY,
                    "time",
                    "How long an image that was pulled for tasks stays after the last of them; 3m unless given."),
            Flag.yes(KEEP_IMAGES, "Remove no images."));

    private DockerFlags() {}

    static DockerSettings read(Flags flags) throws Failure {
        DockerSettings usual = at(flags, DockerSettings.Allowed.NOTHING);
        Optional<Duration> delay = flags.duration(IMAGE_DELAY);
        return new DockerSettings(
                usual.socket(),
                new DockerSettings.Allowed(
                        flags.has(PRIVILEGED),
                        capabilities(flags.values(CAPABILITY)),
                        flags.values(PATH).stream().map(Path::of).toList(),
                        flags.has(VOLUMES),
                        flags.has(NAMESPACES),
                        flags.values(DEVICE).stream().map(Path::of).toList()),
                flags.value(AUTH_CONFIG).map(Path::of),
                flags.value(AUTH_HELPER).orElse(""),
                usual.pullIdle(),
                flags.has(KEEP_IMAGES) ? Optional.empty() : delay.or(usual::imageDelay),
                usual.strayGrace());
    }

    /** The engine that the flag names, whose tasks may do that much. */
    static DockerSettings at(Flags flags, DockerSettings.Allowed allowed) {
        DockerSettings usual = DockerSettings.STRICT;
        return new DockerSettings(
                flags.value(SOCKET).map(Path::of).orElse(usual.socket()).toAbsolutePath(),
                allowed,
                usual.authConfig(),
                usual.authHelper(),
                usual.pullIdle(),
                usual.imageDelay(),
                usual.strayGrace());
    }

    /** In any spelling. */
    private static Set<String> capabilities(List<String> names) {
        return names.stream()
                .map(name -> name.toLowerCase(Locale.ROOT).replaceFirst("^cap_", ""))
                .collect(Collectors.toSet());
    }
}
