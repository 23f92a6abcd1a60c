package io.cleat.driver.exec;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.driver.NetworkFiles;
import io.cleat.driver.OwnFiles;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Place;
import io.cleat.kernel.SafeRemove;
import io.cleat.kernel.ShimDescription;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/**
 * The directory of each container: its configuration, the root of its files (where nothing is but what the runtime
 * mounts on), and the runtime's own state. Everything that a container leaves on disk is in it.
 */
final class Containers implements ShimTasks.Rest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final FileAttribute<Set<PosixFilePermission>> OURS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final Path PASSWD = Path.of("/etc/passwd");
    private static final Path GROUP = Path.of("/etc/group");

    private final Path directory;
    private final OciSpec spec;
    private final InitProgram init;
    private final SystemFiles system;
    private final NetworkFiles networkFiles;
    private final Cgroups cgroups;
    private final ImageRoots roots;
    private final SafeRemove clearing;

    /** @param directory on a local disk; its owner's alone */
    Containers(
            Path directory,
            OciSpec spec,
            InitProgram init,
            SystemFiles system,
            Cgroups cgroups,
            ImageRoots roots,
            SafeRemove clearing) {
        this.directory = directory.toAbsolutePath();
        this.roots = roots;
        this.spec = spec;
        this.init = init;
        this.system = system;
        this.networkFiles = new NetworkFiles(Path.of("/"));
        this.cgroups = cgroups;
        this.clearing = clearing;
    }

    /** Writes all that the runtime needs; says what the shim is to have it do. */
    ShimDescription.Container write(ContainerPlan plan, Path runtime) throws KernelTrouble {
        Path own = directory.resolve(plan.name());
        try {
            Files.createDirectories(own, OURS);
            Path rootfs = own.resolve(ImageRoots.ROOT);
            if (plan.image().isEmpty() && !Files.isDirectory(rootfs, LinkOption.NOFOLLOW_LINKS)) {
                // It is the task's "/": everybody in the container goes through it.
                Files.createDirectory(rootfs);
                Files.setPosixFilePermissions(rootfs, PosixFilePermissions.fromString("rwxr-xr-x"));
                for (Map.Entry<Path, Path> link : system.links().entrySet()) {
                    Files.createSymbolicLink(
                            rootfs.resolve(link.getKey().toString().substring(1)), link.getValue());
                }
            }
            Map<Path, Path> instead = plan.ownUser() ? writeNames(own, plan) : new HashMap<>();
            instead.putAll(networkFiles.write(plan.network(), own::resolve));
            OwnFiles.write(
                    own.resolve("config.json"),
                    "rw-------",
                    JSON.writeValueAsBytes(
                            spec.of(plan, cgroups.group(plan.name()).path(), init.path(), instead)));
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
                List.of("--root", own.resolve("runtime").toString(), "--log", words.toString(), "--log-format", "json"),
                words,
                own,
                plan.name());
    }

    /** What it sees in the place of the machine's users and groups, by their paths. */
    private Map<Path, Path> writeNames(Path own, ContainerPlan plan) throws IOException {
        long id = plan.user().getFirst();
        Map<Path, Path> names = new HashMap<>();
        Optional<String> passwd = text(plan, PASSWD);
        if (passwd.isPresent()) {
            names.put(PASSWD, shown(own.resolve("passwd"), OwnNames.passwd(passwd.get(), id)));
        }
        Optional<String> group = text(plan, GROUP);
        if (group.isPresent()) {
            String text = OwnNames.group(group.get(), passwd.orElse(""), id);
            names.put(GROUP, shown(own.resolve("group"), text));
        }
        return names;
    }

    private Optional<String> text(ContainerPlan plan, Path path) throws IOException {
        if (plan.image().isEmpty()) {
            return system.text(path);
        }
        return path.equals(PASSWD)
                ? plan.image().get().passwd()
                : plan.image().get().group();
    }

    /** Everybody in the container reads it, and nobody else comes to it. */
    private static Path shown(Path file, String text) throws IOException {
        OwnFiles.write(file, "rw-r--r--", text.getBytes(StandardCharsets.UTF_8));
        return file;
    }

    @Override
    public void remove(String name, Deadline deadline) throws KernelTrouble, InterruptedException {
        if (Files.exists(directory.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
            roots.remove(name, deadline);
            clearing.tree(new Place(directory, name), deadline);
        }
    }
}
