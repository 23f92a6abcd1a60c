package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.BackOff;
import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.csi.CallObserver;
import io.cleat.csi.CallPolicy;
import io.cleat.csi.PluginChannel;
import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.kernel.BlockDevices;
import io.cleat.kernel.BootId;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Place;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.BlockedBy;
import io.cleat.model.MountLoss;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.testkit.BindMountEffects;
import io.cleat.testkit.BlockEffects;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.FakeCsiSetup;
import io.cleat.testkit.FuseEffects;
import io.cleat.testkit.ReceivedCall;
import io.cleat.testkit.RunDirectory;
import io.cleat.testkit.ShimProgram;
import io.cleat.wire.ToServer.VolumePhase;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** A node with one fake plugin whose volumes are real bind mounts, below a volume root of its own. */
final class Ground {
    static final String PLUGIN = "nfs/fast";
    static final VolumeModes SHARED = new VolumeModes(AccessMode.MULTI_NODE_MULTI_WRITER, AttachmentMode.FILE_SYSTEM);
    static final VolumeModes SINGLE = new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);
    static final VolumeModes DEVICE = new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.BLOCK_DEVICE);
    static final VolumeModes READERS = new VolumeModes(AccessMode.MULTI_NODE_READER_ONLY, AttachmentMode.FILE_SYSTEM);

    /** What uses no mount. */
    static final MountWatch.Users NOBODY = new MountWatch.Users() {
        @Override
        public boolean mountLost(String allocId, String alias, MountLoss policy) {
            return false;
        }

        @Override
        public boolean seesOther(String allocId, String alias) {
            return false;
        }
    };

    /** How long a call is waited for; `./dev mutate`, which waits out the same hangs hundreds of times, says less. */
    private static final Duration TRY = Duration.ofMillis(Integer.getInteger("cleat.volumes.try", 3000));

    private static final Supplier<Deadline> SOON = () -> Deadline.in(new SystemTime(), Duration.ofSeconds(20));

    final Path directory;
    final VolumeRoot root;
    final Path hostRoot;
    final BindMountEffects storage;
    final SelfBinds selfBinds;
    final @Nullable FuseEffects fuse;
    final @Nullable BlockEffects block;
    FakeCsiSetup setup;
    final FakeCsiPlugin plugin;
    final PluginChannel channel;
    final FakeNodePlugins plugins = new FakeNodePlugins();
    final HeardNews news = new HeardNews();
    final List<Throwable> faults = new CopyOnWriteArrayList<>();
    final Threads threads = Threads.virtual((where, fault) -> faults.add(fault));
    final PathWorkers workers;
    final Told told = new Told();
    final AtomicInteger tableReadings = new AtomicInteger();

    /** Whether no table can be read. */
    volatile boolean hidesTable;

    BootId boot = new BootId("boot-1");

    @Nullable
    MountLoss onMountLoss;

    Journal journal;
    MountedVolumes volumes;
    Sweeper sweeper;
    MountWatch watch;
    private VolumeParts newest;
    Time time = new SystemTime();
    NodePlugins nodePlugins = plugins;
    Duration pathCall = Duration.ofSeconds(10);
    BackOff again = new BackOff(Duration.ofMillis(10), Duration.ofMillis(50));
    Duration mounting = VolumeParts.Limits.MOUNTING;
    JournalPoint.Listener points = JournalPoint.Listener.NONE;

    /** What was said of how a mount goes on. */
    static final class Told implements NodeVolumes.Progress {
        final BlockingQueue<BlockedBy> waits = new LinkedBlockingQueue<>();
        final List<VolumePhase> phases = new CopyOnWriteArrayList<>();

        /** When nothing was waited for. */
        final List<VolumePhase> silences = new CopyOnWriteArrayList<>();

        @Override
        public void at(VolumePhase phase, Optional<BlockedBy> waitingFor) {
            phases.add(phase);
            if (waitingFor.isEmpty()) {
                silences.add(phase);
            }
            waitingFor.ifPresent(waits::add);
        }

        /** The wait that says so; a slow machine may make others before. */
        BlockedBy await(String words) throws InterruptedException {
            for (; ; ) {
                BlockedBy wait = Objects.requireNonNull(waits.poll(20, TimeUnit.SECONDS), "no wait says " + words);
                if (wait.holder().contains(words)) {
                    return wait;
                }
            }
        }
    }

    /** What the plugin's volumes are. */
    private enum Kind {
        DIRECTORIES,
        FUSE,
        DEVICES
    }

    private Ground(FakeCsiSetup how, Kind kind) throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: mounting needs root, and the tests run as another user");
        Path shim = ShimProgram.built();
        directory = RunDirectory.make();
        Mounts mounts = Mounts.linux();
        root = VolumeRoot.prepare(directory.resolve("csi"), mounts);
        hostRoot = root.path().resolve("nfs%2Ffast");
        Path pool = Files.createDirectory(directory.resolve("pool"));
        mounts.mount("cleat-test", pool, "tmpfs", Set.of(), "size=1m");
        storage = new BindMountEffects(pool);
        selfBinds = new SelfBinds(storage);
        fuse = kind == Kind.FUSE ? FuseEffects.over(pool, directory) : null;
        block = kind == Kind.DEVICES ? new BlockEffects(pool) : null;
        setup = how.withEffects(fuse != null ? fuse : block != null ? block : selfBinds);
        plugin = FakeCsiPlugin.start(directory.resolve("s"), setup);
        plugin.addVolume("ext-1", 1 << 20);
        plugin.addVolume("ext-2", 1 << 20);
        channel = PluginChannel.open(
                PLUGIN,
                plugin.socket(),
                CallPolicy.standard().withTries(1).withTryTimeout(TRY).awaitingMounts(),
                new SystemTime(),
                Chance.system(),
                CallObserver.NONE);
        workers = new PathWorkers(shim, threads, new SystemTime());
        journal = open();
        start();
        appear();
    }

    static Ground make() throws Exception {
        return new Ground(FakeCsiSetup.standard(), Kind.DIRECTORIES);
    }

    static Ground make(FakeCsiSetup how) throws Exception {
        return new Ground(how, Kind.DIRECTORIES);
    }

    /** A node whose plugin holds its mounts itself. */
    static Ground holding() throws Exception {
        return new Ground(FakeCsiSetup.standard(), Kind.FUSE);
    }

    /** A node whose plugin's volumes are devices. */
    static Ground devices() throws Exception {
        return new Ground(FakeCsiSetup.whole(), Kind.DEVICES);
    }

    BlockEffects block() {
        return Objects.requireNonNull(block);
    }

    FuseEffects fuse() {
        return Objects.requireNonNull(fuse);
    }

    private Journal open() throws Exception {
        return Journal.open(directory.resolve("volumes.journal"), threads, new SystemTime());
    }

    private void start() {
        VolumeParts parts = parts(points);
        newest = parts;
        volumes = new MountedVolumes(parts);
        sweeper = new Sweeper(parts, volumes);
        watch = new MountWatch(parts, volumes);
    }

    /** Those that the volumes work with. */
    VolumeParts newestParts() {
        return newest;
    }

    VolumeParts parts(JournalPoint.Listener points) {
        return new VolumeParts(
                root.path(),
                journal,
                nodePlugins,
                workers::of,
                this::table,
                BlockDevices.linux(),
                news,
                time,
                Chance.system(),
                boot,
                "node-1",
                new VolumeParts.Limits(pathCall, Duration.ofSeconds(20), again, mounting),
                points);
    }

    private MountTable table() throws KernelTrouble {
        tableReadings.incrementAndGet();
        if (hidesTable) {
            throw new KernelTrouble("the mount table is hidden", Effect.NONE, Retry.SAME_CALL);
        }
        return MountTable.read();
    }

    /** Goes on with a journal somewhere else. */
    void moveJournal(Path file) throws Exception {
        journal.close();
        journal = Journal.open(file, threads, new SystemTime());
        start();
    }

    /** As after the agent's death: all that was in memory is gone. */
    void restart() throws Exception {
        journal.close();
        journal = open();
        start();
    }

    void appear() {
        boolean stages = !setup.node().isEmpty();
        plugins.appear(
                PLUGIN,
                new NodePlugin(
                        "plugin-1",
                        channel.node(),
                        stages,
                        setup.node().contains(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP),
                        hostRoot,
                        hostRoot,
                        setup.nodeId(),
                        onMountLoss));
    }

    static GrantedClaim claim(String alloc, String externalId, VolumeModes modes) {
        return claim(alloc, externalId, modes, new VolumeId("default", externalId + "-name"));
    }

    static GrantedClaim claim(String alloc, String externalId, VolumeModes modes, VolumeId volume) {
        return new GrantedClaim(
                alloc,
                "data",
                volume,
                PLUGIN,
                externalId,
                false,
                modes,
                new MountOptions("ext4", List.of("noatime")),
                Map.of("pool", "p1"),
                7,
                Secrets.of(Map.of("lun", "42")),
                Secrets.of(Map.of("key", "hunter2")));
    }

    /** The same claim, mounted in another way. */
    static GrantedClaim with(MountOptions options, GrantedClaim claim) {
        return like(claim, claim.alias(), claim.readOnly(), options, claim.epoch());
    }

    /** The same claim, for reading only. */
    static GrantedClaim reading(GrantedClaim claim) {
        return like(claim, claim.alias(), true, claim.mountOptions(), claim.epoch());
    }

    /** The same claim, under another name in its allocation. */
    static GrantedClaim named(String alias, GrantedClaim claim) {
        return like(claim, alias, claim.readOnly(), claim.mountOptions(), claim.epoch());
    }

    /** The same claim, as it is granted later. */
    static GrantedClaim granted(GrantedClaim claim, long epoch) {
        return like(claim, claim.alias(), claim.readOnly(), claim.mountOptions(), epoch);
    }

    private static GrantedClaim like(
            GrantedClaim claim, String alias, boolean readOnly, MountOptions options, long epoch) {
        return new GrantedClaim(
                claim.allocId(),
                alias,
                claim.volume(),
                claim.pluginId(),
                claim.externalId(),
                readOnly,
                claim.modes(),
                options,
                claim.context(),
                epoch,
                claim.publishContext(),
                claim.secrets());
    }

    Publication publish(String alloc, String externalId, VolumeModes modes) throws Exception {
        return volumes.publish(claim(alloc, externalId, modes), told);
    }

    void unpublish(String alloc) throws InterruptedException {
        volumes.unpublish(alloc, "data", told);
    }

    Path target(String alloc, String volume, VolumeModes modes) {
        return hostRoot.resolve("per-alloc").resolve(alloc).resolve(volume).resolve(modes.usage(false));
    }

    Path staging(String volume) {
        return hostRoot.resolve("staging").resolve("default").resolve(volume);
    }

    /** The names of the node calls so far. */
    List<String> calls() {
        return plugin.calls().stream().map(ReceivedCall::name).toList();
    }

    List<String> mounted() throws KernelTrouble {
        return MountTable.read().atOrBelow(hostRoot).stream().map(Mount::target).toList();
    }

    /** What there is below the plugin's root. */
    List<Path> entries() throws IOException {
        if (!Files.exists(hostRoot)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(hostRoot)) {
            return all.filter(path -> !path.equals(hostRoot)).sorted().toList();
        }
    }

    void assertNothingLeft() throws Exception {
        assertEquals(List.of(), mounted());
        assertEquals(List.of(), entries());
        assertEquals(List.of(), journal.volumes());
        assertEquals(Map.of(), plugin.staged());
        assertEquals(Map.of(), plugin.published());
    }

    /** Takes all away, and fails if a mount cannot be: the mounts first, as nobody can look below one that hangs. */
    void close() throws Exception {
        journal.close();
        channel.close();
        plugin.close();
        if (fuse != null) {
            fuse.end();
        }
        if (block != null) {
            block.end();
        }
        List<Mount> mounts = new ArrayList<>(MountTable.readTwice().atOrBelow(directory));
        for (Mount mount : mounts.reversed()) {
            Mounts.linux().unmount(Path.of(mount.target()));
        }
        if (onMountLoss != null || fuse != null) {
            for (Path entry : entries()) {
                if (entry.startsWith(hostRoot.resolve("staging"))) {
                    workers.of("close").unseal(Place.of(root.path(), entry), SOON.get());
                }
            }
        }
        workers.close();
        assertEquals(List.of(), MountTable.readTwice().atOrBelow(directory));
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failed) throws IOException {
                Files.delete(dir);
                return FileVisitResult.CONTINUE;
            }
        });
        assertEquals(List.of(), faults);
    }
}
