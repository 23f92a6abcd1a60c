package io.cleat.driver.exec;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Place;
import io.cleat.kernel.SafeRemove;
import io.cleat.kernel.ShimDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/**
 * The directory of each container: its configuration, the root of its files (where nothing is but
 * what the runtime mounts on), and the runtime's own state. Everything that a container leaves on
 * disk is in it.
 */
final class Containers implements ShimTasks.Rest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final FileAttribute<Set<PosixFilePermission>> OURS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path directory;
    private final OciSpec spec;
    private final SystemFiles system;
    private final Cgroups cgroups;
    private final SafeRemove clearing;

    /**
     * @param directory on a local disk; its owner's alone
     */
    Containers(
            Path directory,
            OciSpec spec,
            SystemFiles system,
            Cgroups cgroups,
            SafeRemove clearing) {
        this.directory = directory.toAbsolutePath();
        this.spec = spec;
        this.system = system;
        this.cgroups = cgroups;
        this.clearing = clearing;
    }

    /** Writes all that the runtime needs; says what the shim is to have it do. */
    ShimDescription.Container write(ContainerPlan plan, Path runtime) throws KernelTrouble {
        Path own = directory.resolve(plan.name());
        try {
            Files.createDirectories(own, OURS);
            Path rootfs = own.resolve("rootfs");
            if (!Files.isDirectory(rootfs, LinkOption.NOFOLLOW_LINKS)) {
                // It is the task's "/": everybody in the container goes through it.
                Files.createDirectory(rootfs);
                Files.setPosixFilePermissions(rootfs, PosixFilePermissions.fromString("rwxr-xr-x"));
                for (Map.Entry<Path, Path> link : system.links().entrySet()) {
                    Files.createSymbolicLink(
                            rootfs.resolve(link.getKey().toString().substring(1)), link.getValue());
                }
            }
            Path config = own.resolve("config.json");
            Files.deleteIfExists(config);
            Files.createFile(
                    config,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            Files.write(
                    config,
                    JSON.writeValueAsBytes(spec.of(plan, cgroups.group(plan.name()).path())),
                    StandardOpenOption.WRITE);
        } catch (IOException failed) {
            throw new KernelTrouble(
                    "the container's directory " + own + " could not be written: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
        Path words = own.resolve("words");
        return new ShimDescription.Container(
                runtime,
                List.of(
                        "--root",
                        own.resolve("runtime").toString(),
                        "--log",
                        words.toString(),
                        "--log-format",
                        "json"),
                words,
                own,
                plan.name());
    }

    @Override
    public void remove(String name, Deadline deadline) throws KernelTrouble, InterruptedException {
        if (Files.exists(directory.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
            clearing.tree(new Place(directory, name), deadline);
        }
    }
}
