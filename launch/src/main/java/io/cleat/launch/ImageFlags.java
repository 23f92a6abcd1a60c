package io.cleat.launch;

import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.driver.docker.DockerSettings;
import io.cleat.image.StoreSettings;
import io.cleat.image.UnpackLimits;
import java.nio.file.Path;
import java.util.List;

/** The flags of a node that say what images exec tasks may have. */
final class ImageFlags {
    private static final String PATH = "exec-image-path";
    private static final String TIMEOUT = "exec-image-timeout";
    private static final String MAX_UNPACKED = "exec-image-max-unpacked";
    private static final String MAX_FILES = "exec-image-max-files";
    private static final String DELAY = "exec-image-delay";

    static final List<Flag> OWN = List.of(
            Flag.repeated(PATH, "directory", "A directory of this machine that exec tasks may take images from."),
            Flag.value(TIMEOUT, "time", "The longest that unpacking one image may take; 10m unless given."),
            Flag.value(MAX_UNPACKED, "size", "How much an image of an exec task may hold unpacked; 20GB unless given."),
            Flag.value(MAX_FILES, "number", "How many files an image of an exec task may have; 1000000 unless given."),
            Flag.value(
                    DELAY,
                    "time",
                    "How long a layer of an image stays after the last exec task that used it; 1h unless given."));

    private ImageFlags() {}

    /** Where images may be taken from. */
    static List<Path> paths(Flags flags) {
        return flags.values(PATH).stream()
                .map(each -> Path.of(each).toAbsolutePath().normalize())
                .toList();
    }

    /** @param docker whose credentials for registries hold here, too */
    static StoreSettings read(Flags flags, DockerSettings docker) throws Failure {
        StoreSettings usual = StoreSettings.standard();
        UnpackLimits limits = usual.limits();
        return new StoreSettings(
                new UnpackLimits(
                        flags.duration(TIMEOUT).orElse(limits.time()),
                        ArtifactFlags.size(flags, MAX_UNPACKED, limits.bytes()),
                        (int) Math.min(ArtifactFlags.size(flags, MAX_FILES, limits.entries()), Integer.MAX_VALUE),
                        limits.ratio()),
                ArtifactFlags.user(flags),
                ArtifactFlags.allowed(flags),
                docker.authConfig(),
                docker.authHelper(),
                flags.duration(DELAY).or(usual::keep));
    }
}
