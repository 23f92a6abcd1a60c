package io.cleat.testkit;

import io.cleat.base.KernelTrouble;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Mounts that die with the plugin: each staging is a FUSE file system held by a process of its own, over a directory of
 * the pool, and bound from there to where it is published. Needs root.
 */
public final class FuseEffects implements NodeEffects {
    private final Path program;
    private final Path pool;
    private final Mounts mounts = Mounts.linux();

    /** By where they are staged. */
    private final Map<String, Staged> staged = new ConcurrentHashMap<>();

    /** Where each is staged, by where it is published. */
    private final Map<String, String> published = new ConcurrentHashMap<>();

    /** All that held mounts ever: one whose mount was taken away ends in its own time. */
    private final List<Process> holders = new CopyOnWriteArrayList<>();

    /** Where it was staged ever. */
    private final Set<String> used = ConcurrentHashMap.newKeySet();

    private volatile boolean isForgetful;

    private volatile Predicate<Path> users = path -> false;

    private record Staged(String volumeId, Process holder) {}

    private FuseEffects(Path program, Path pool) {
        this.program = program;
        this.pool = pool;
    }

    /**
     * Builds the driver, or skips the test with the reason why it cannot be.
     *
     * @param pool has a directory per volume id; made here
     * @param build where the program goes
     */
    public static FuseEffects over(Path pool, Path build) throws Exception {
        Assumptions.assumeTrue(
                Files.isWritable(Path.of("/dev/fuse")), "reason: this machine has no /dev/fuse to write to");
        Path program = build.resolve("fuse_driver");
        Path source = Path.of(System.getProperty("cleat.root", ".")).resolve("testkit/src/main/c/fuse_driver.c");
        Process compiler;
        try {
            compiler = new ProcessBuilder("cc", "-O1", "-o", program.toString(), source.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException absent) {
            Assumptions.abort("reason: there is no C compiler here: ./dev setup -y brings it");
            throw absent;
        }
        String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Assumptions.assumeTrue(compiler.waitFor() == 0, () -> "reason: the FUSE driver was not built: " + words);
        return new FuseEffects(program, pool);
    }

    /** A volume's directory, where its files are. */
    public Path files(String volumeId) {
        return pool.resolve(volumeId);
    }

    /** Ends all that hold mounts, as a plugin's end does. */
    public void kill() throws InterruptedException {
        for (Staged each : staged.values()) {
            kill(each.holder());
        }
    }

    /**
     * Ends all that hold mounts together with the helper that knew of them: what is still mounted is taken away by
     * nobody, and only its directory is to be removed.
     */
    public void killWithHelper() throws InterruptedException {
        kill();
        isForgetful = true;
    }

    /**
     * Refuses to unpublish a volume that is mounted for somebody too, as drivers do that count the mounts of a file
     * system.
     *
     * @param isUsers whether a mount at this path is for somebody
     */
    public FuseEffects countingUsers(Predicate<Path> isUsers) {
        users = isUsers;
        return this;
    }

    /** Ends what holds the mounts of one volume. */
    public void kill(String volumeId) throws InterruptedException {
        for (Staged each : of(volumeId)) {
            kill(each.holder());
        }
    }

    private static void kill(Process holder) throws InterruptedException {
        holder.destroyForcibly();
        holder.waitFor();
    }

    /**
     * Ends all that hold mounts, then stages and publishes all anew where it was, as a driver does that heals itself:
     * nobody asked it to.
     */
    public void heal() throws IOException, InterruptedException {
        kill();
        for (String target : published.keySet()) {
            detach(Path.of(target));
        }
        for (Map.Entry<String, Staged> each : staged.entrySet()) {
            detach(Path.of(each.getKey()));
            stage(each.getKey(), each.getValue().volumeId());
        }
        for (Map.Entry<String, String> each : published.entrySet()) {
            bind(each.getValue(), Path.of(each.getKey()));
        }
    }

    /**
     * Ends what holds the mounts of one volume, which takes its staging down as it goes, as some helpers do. The driver
     * does not notice.
     */
    public void dieUnmounting(String volumeId) throws IOException, InterruptedException {
        kill(volumeId);
        for (Map.Entry<String, Staged> each : staged.entrySet()) {
            if (each.getValue().volumeId().equals(volumeId)) {
                detach(Path.of(each.getKey()));
            }
        }
    }

    /**
     * Removes what lies in directories of stagings at which nothing is mounted, as a driver that clears up after
     * itself.
     *
     * @return how many files were lost by that
     */
    public int clearBare() throws IOException {
        int removed = 0;
        for (String path : used) {
            Path directory = Path.of(path);
            if (Files.isDirectory(directory) && !isMounted(directory)) {
                try (Stream<Path> all = Files.list(directory)) {
                    for (Path file : all.toList()) {
                        Files.delete(file);
                        removed++;
                    }
                }
            }
        }
        return removed;
    }

    private static boolean isMounted(Path path) throws IOException {
        try {
            return MountTable.readTwice().at(path).isPresent();
        } catch (KernelTrouble trouble) {
            throw new IOException(trouble.reason(), trouble);
        }
    }

    /** Stops all that hold mounts: who looks at one waits. */
    public void freeze() throws Exception {
        signal("STOP", List.copyOf(staged.values()));
    }

    /** Stops what holds the mounts of one volume. */
    public void freeze(String volumeId) throws Exception {
        signal("STOP", of(volumeId));
    }

    /** Lets them go on. */
    public void thaw() throws Exception {
        signal("CONT", List.copyOf(staged.values()));
    }

    private List<Staged> of(String volumeId) {
        return staged.values().stream()
                .filter(s -> s.volumeId().equals(volumeId))
                .toList();
    }

    private static void signal(String signal, List<Staged> all) throws Exception {
        for (Staged each : all) {
            String pid = Long.toString(each.holder().pid());
            new ProcessBuilder("kill", "-" + signal, pid).start().waitFor();
        }
    }

    @Override
    public void stage(NodeStageVolumeRequest request) throws IOException {
        stage(request.getStagingTargetPath(), request.getVolumeId());
    }

    private void stage(String path, String volumeId) throws IOException {
        Path from = Files.createDirectories(files(volumeId));
        Process holder = new ProcessBuilder(program.toString(), path, from.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        holders.add(holder);
        if (holder.inputReader().readLine() == null) {
            throw new IOException("the FUSE driver ended without a mount");
        }
        used.add(path);
        staged.put(path, new Staged(volumeId, holder));
    }

    @Override
    public void unstage(NodeUnstageVolumeRequest request) throws IOException {
        Path staging = Path.of(request.getStagingTargetPath());
        if (isMounted(staging)) {
            if (isForgetful) {
                throw new IOException("remove " + staging + ": device or resource busy");
            }
            detach(staging);
        }
        // As several do, which made it or think so.
        Files.deleteIfExists(staging);
        staged.remove(request.getStagingTargetPath());
    }

    @Override
    public void publish(NodePublishVolumeRequest request) throws IOException {
        Path target = Path.of(request.getTargetPath());
        Files.createDirectory(target);
        bind(request.getStagingTargetPath(), target);
        published.put(request.getTargetPath(), request.getStagingTargetPath());
    }

    private void bind(String staging, Path target) throws IOException {
        try {
            mounts.bind(Path.of(staging), target);
        } catch (KernelTrouble trouble) {
            throw new IOException(trouble.reason(), trouble);
        }
    }

    @Override
    public void unpublish(NodeUnpublishVolumeRequest request) throws IOException {
        Path target = Path.of(request.getTargetPath());
        requireUnused(target);
        detach(target);
        published.remove(request.getTargetPath());
        Files.deleteIfExists(target);
    }

    private void requireUnused(Path target) throws IOException {
        try {
            MountTable table = MountTable.readTwice();
            Optional<Mount> own = table.at(target);
            for (Mount mount : table.mounts()) {
                if (own.isPresent()
                        && mount.device().equals(own.get().device())
                        && users.test(Path.of(mount.target()))) {
                    throw new IOException("it is still mounted at " + mount.target());
                }
            }
        } catch (KernelTrouble trouble) {
            throw new IOException(trouble.reason(), trouble);
        }
    }

    /** As drivers of this kind do it: what is dead can be busy for ever. */
    private void detach(Path path) throws IOException {
        try {
            mounts.detach(path);
        } catch (KernelTrouble trouble) {
            throw new IOException(trouble.reason(), trouble);
        }
    }

    /** Ends all that hold mounts or did, also those that were stopped: nothing is in use by them. */
    public void end() throws Exception {
        for (Process holder : holders) {
            kill(holder);
        }
    }
}
