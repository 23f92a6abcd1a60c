package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.VisibleText;
import io.cleat.driver.NetworkMaker;
import io.cleat.kernel.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes networks of allocations for containers, which join those of other containers alone: one that does nothing holds
 * the network namespace, from before the first task until after the last.
 */
final class HeldNetworks implements NetworkMaker {
    /** Under which the holding container's name is kept. */
    private static final String CONTAINER = "container";

    private static final String REPOSITORY = "localhost/cleat-pause";

    /** Characters of an allocation's id that are its host's name where its job says none. */
    private static final int SHORT_ID = 8;

    private static final long MEMORY = 16 << 20;
    private static final FileAttribute<Set<PosixFilePermission>> OURS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Engine engine;
    private final Containers containers;
    private final Images images;
    private final String node;
    private final Path shim;
    private final Path directory;
    private final Mounts mounts;

    /**
     * @param shim the program that holds a network, and does nothing
     * @param directory of files by which networks are held, the agent's alone
     */
    HeldNetworks(
            Engine engine,
            Containers containers,
            Images images,
            String node,
            Path shim,
            Path directory,
            Mounts mounts) {
        this.engine = engine;
        this.containers = containers;
        this.images = images;
        this.node = node;
        this.shim = shim;
        this.directory = directory;
        this.mounts = mounts;
    }

    /** The mode of the network of a container that joins one of these. */
    static Optional<String> mode(Map<String, String> labels) {
        return Optional.ofNullable(labels.get(CONTAINER)).map(name -> "container:" + name);
    }

    @Override
    public Made make(String allocId, String hostname) throws DriverTrouble {
        String name = name(allocId);
        Optional<Container> found = containers.find(name);
        if (found.isEmpty() || !found.get().lives()) {
            containers.remove(name, true);
            begin(name, allocId, hostname);
            found = containers.find(name);
        }
        long pid = found.map(Container::pid).orElse(0L);
        if (pid <= 0) {
            throw new DriverTrouble(
                    "the container " + name + ", which holds a network, does not run", Effect.UNKNOWN, Retry.SAME_CALL);
        }
        Path file = directory.resolve(name);
        try {
            hold(Path.of("/proc", Long.toString(pid), "ns", "net"), file);
        } catch (IOException | KernelTrouble failed) {
            throw new DriverTrouble(
                    "the network of the container " + name + " cannot be held: " + failed,
                    Effect.UNKNOWN,
                    Retry.SAME_CALL,
                    failed);
        }
        return new Made(file.toString(), Map.of(CONTAINER, name));
    }

    /** Of an image that is ours whoever has made it: the next one makes it again. */
    private void begin(String name, String allocId, String hostname) throws DriverTrouble {
        OneFileImage image = OneFileImage.of(engine, shim, REPOSITORY);
        images.begin(image.name());
        try {
            images.ours(image.name());
            containers.create(name, spec(allocId, hostname, image));
            containers.start(name);
        } finally {
            images.begun(image.name());
        }
    }

    /** By a file of its own: that of the process in /proc may be another's once it has ended. */
    private void hold(Path namespace, Path file) throws IOException, KernelTrouble {
        Files.createDirectories(directory, OURS);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            Files.createFile(file);
        }
        if (!Files.getAttribute(file, "unix:ino").equals(Files.getAttribute(namespace, "unix:ino"))) {
            mounts.detach(file);
            mounts.bind(namespace, file);
        }
    }

    @Override
    public void unmake(String allocId, Made made) throws DriverTrouble {
        String name = name(allocId);
        containers.remove(name, true);
        Path file = directory.resolve(name);
        try {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                mounts.detach(file);
                Files.delete(file);
            }
        } catch (IOException | KernelTrouble failed) {
            throw new DriverTrouble(file + " cannot be let go: " + failed, Effect.UNKNOWN, Retry.SAME_CALL, failed);
        }
    }

    private String name(String allocId) throws DriverTrouble {
        return ContainerNames.of(allocId + "/network/pause", node);
    }

    private Map<String, Object> spec(String allocId, String hostname, OneFileImage image) throws DriverTrouble {
        Map<String, Object> host = new LinkedHashMap<>();
        host.put("NetworkMode", "none");
        host.put("RestartPolicy", Map.of("Name", "no"));
        host.put("ReadonlyRootfs", true);
        host.put("CapDrop", List.of("ALL"));
        host.put("SecurityOpt", List.of("no-new-privileges"));
        host.put("Memory", MEMORY);
        host.put("MemorySwap", MEMORY);
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("Image", image.ensure());
        spec.put("Entrypoint", List.of("/" + shim.getFileName(), "pause"));
        spec.put("Hostname", hostname.isEmpty() ? VisibleText.head(allocId, SHORT_ID) : hostname);
        spec.put("User", "65534:65534");
        spec.put(
                "Labels",
                Map.of(
                        Labels.NODE,
                        node,
                        Labels.ALLOCATION,
                        allocId,
                        Labels.IMAGE,
                        image.name().toString(),
                        Labels.BOOT,
                        ContainerStart.boot()));
        spec.put("HostConfig", host);
        return spec;
    }
}
