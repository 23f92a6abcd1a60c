package io.cleat.agent.host;

import io.cleat.agent.volumes.GrantedClaim;
import io.cleat.agent.volumes.Publication;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Ordered;
import io.cleat.base.Retry;
import io.cleat.base.TextRule;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import io.cleat.kernel.SafeRemove;
import io.cleat.kernel.ShimCall;
import io.cleat.model.HostVolume;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.VolumeId;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The host volumes of a node: those that its operator has named, and those that were made on it. Any thread; orders
 * about one volume come one after the other.
 */
public final class HostVolumes implements Supplier<Map<String, HostVolume>> {
    private static final Duration WITHIN = Duration.ofSeconds(60);
    private static final Path MACHINE = Path.of("/");

    private final Map<String, HostVolume> named;
    private final Path data;
    private final MadeVolumes made;
    private final HostPlugins plugins;
    private final Path root;
    private final Paths paths;
    private final Time time;
    private final Runnable changed;
    private final Map<Use, Used> uses = new ConcurrentHashMap<>();

    /** Whose use of a volume it is. */
    private record Use(String allocId, String alias) {}

    private record Used(VolumeId volume, long epoch, boolean readOnly) {
        String id() {
            return HostVolumeNames.id(volume);
        }
    }

    private HostVolumes(
            Map<String, HostVolume> named,
            Path data,
            MadeVolumes made,
            Function<ExternalPlugin.Checking, HostPlugins> plugins,
            Path root,
            Paths paths,
            Time time,
            Runnable changed) {
        this.named = Ordered.copyOf(named);
        this.data = data;
        this.made = made;
        this.root = root;
        this.paths = paths;
        this.time = time;
        this.changed = changed;
        this.plugins = plugins.apply(this::check);
    }

    /**
     * The programs of the node's operator that make volumes.
     *
     * @param directory where they are
     * @param nodeId which they are told
     * @param shim that runs them
     */
    public record External(Path directory, String nodeId, Path shim) {}

    /**
     * @param named by the node's operator
     * @param data the agent's data directory, without links
     * @param file where it is written down what was made
     * @param root below which the built-in plugin makes directories; the agent's alone
     * @param external empty for none
     * @param changed is run whenever there are others
     */
    public static HostVolumes at(
            Map<String, HostVolume> named,
            Path data,
            Path file,
            Path root,
            Optional<External> external,
            PathWorkers workers,
            Threads threads,
            Time time,
            Runnable changed)
            throws DiskTrouble {
        SafeRemove clearing = new SafeRemove(workers, "host-volumes/clearing", MountTable::read);
        Paths paths = workers.of("host-volumes");
        return new HostVolumes(
                named,
                data,
                MadeVolumes.at(file),
                checking -> new HostPlugins(
                        new MkdirPlugin(root, paths, clearing::tree, time),
                        external.map(programs -> new HostPlugins.Programs(
                                new PluginFiles(programs.directory(), workers.of("host-volume-plugins"), time),
                                making(programs, root, threads, checking)))),
                root,
                paths,
                time,
                changed);
    }

    /** By name, as the node tells of them. */
    @Override
    public Map<String, HostVolume> get() {
        Map<String, HostVolume> all = new TreeMap<>(made.told());
        all.putAll(named);
        return all;
    }

    /** What the node says of its plugins, as attributes that jobs may ask for. */
    public Map<String, String> attributes() {
        return plugins.attributes();
    }

    /** Looks for the operator's plugins from now on. */
    public void start(Threads threads) {
        plugins.start(threads, time, changed);
    }

    /** Looks once; whether there are others than before. */
    boolean look() throws InterruptedException {
        return plugins.look();
    }

    private static HostPlugins.Making making(
            External external, Path root, Threads threads, ExternalPlugin.Checking checking) {
        ShimCall calls = new ShimCall(external.shim(), threads);
        ExternalPlugin.Where where = new ExternalPlugin.Where(external.nodeId(), root);
        return (name, program) -> new ExternalPlugin(name, program.path(), where, calls, checking);
    }

    /**
     * Makes a volume, or takes in a directory that is there. Done already is fine.
     *
     * @param path of that directory; empty for one that is to be made
     */
    public ControllerReply make(HostVolumeSpec spec, String path) throws Trouble, InterruptedException {
        Optional<MadeVolumes.Made> known = made.find(spec.id());
        if (known.isPresent()) {
            return new ControllerReply.HostVolumeMade(
                    known.get().path(), known.get().capacity());
        }
        if (named.containsKey(spec.name()) || made.named(spec.name()).isPresent()) {
            throw refused("it has a host volume " + TextRule.quoted(spec.name()) + " already");
        }
        if (made.isFull()) {
            throw refused("it has " + MadeVolumes.MOST + " host volumes, and no node has more: delete some");
        }
        HostPlugin.Made result = path.isEmpty() ? plugin(spec).make(spec) : new HostPlugin.Made(taken(path), 0);
        made.put(new MadeVolumes.Made(spec, result.path(), result.capacity()));
        changed.run();
        return new ControllerReply.HostVolumeMade(result.path(), result.capacity());
    }

    /** Deletes what was made; a directory that was there before stays. Gone already is fine. */
    public ControllerReply delete(HostVolumeSpec spec) throws Trouble, InterruptedException {
        Optional<String> user = uses.entrySet().stream()
                .filter(use -> use.getValue().id().equals(spec.id()))
                .map(use -> use.getKey().allocId())
                .findFirst();
        if (user.isPresent()) {
            throw refused("allocation " + user.get() + " uses it");
        }
        Optional<MadeVolumes.Made> known = made.find(spec.id());
        HostVolumeSpec asMade = known.map(MadeVolumes.Made::spec).orElse(spec);
        if (!asMade.pluginId().isEmpty()) {
            plugin(asMade).delete(asMade, known.map(MadeVolumes.Made::path).orElse(""));
        }
        if (known.isPresent()) {
            made.remove(spec.id());
            changed.run();
        }
        return new ControllerReply.HostVolumeDeleted();
    }

    private HostPlugin plugin(HostVolumeSpec spec) throws KernelTrouble {
        Optional<HostPlugin> plugin = plugins.find(spec.pluginId());
        if (plugin.isEmpty()) {
            throw refused("it has no host volume plugin "
                    + TextRule.quoted(spec.pluginId())
                    + ": put it in the directory of its flag -host-volume-plugin-dir; the"
                    + " agent's log says why one that is there is not used");
        }
        return plugin.get();
    }

    /** A plugin's answer: a directory as one that is taken in, and no other volume's. */
    private void check(HostVolumeSpec spec, String given) throws KernelTrouble, InterruptedException {
        Path path = isPlain(given) ? Path.of(given) : root;
        if (isPlain(given) && path.startsWith(root) && !path.equals(root)) {
            there(path);
        } else {
            taken(given);
        }
        for (MadeVolumes.Made other : made.all()) {
            Path its = Path.of(other.path());
            if (!other.spec().id().equals(spec.id()) && (its.startsWith(path) || path.startsWith(its))) {
                throw refused(path + " holds, is or lies in the host volume "
                        + other.spec().name());
            }
        }
    }

    /** A directory is opened over no link, and none of the agent's own is given away. */
    private String taken(String given) throws KernelTrouble, InterruptedException {
        if (!isPlain(given)) {
            throw refused("the path " + TextRule.quoted(given) + " is not absolute and plain");
        }
        Path path = Path.of(given);
        if (path.startsWith(data) || data.startsWith(path)) {
            throw refused(path + " holds, or lies in, this agent's data directory " + data);
        }
        there(path);
        return given;
    }

    private static boolean isPlain(String given) {
        if (TextRule.lineFault(given).isPresent() || !given.startsWith("/")) {
            return false;
        }
        Path path = Path.of(given);
        return path.getNameCount() > 0 && path.normalize().toString().equals(given);
    }

    private void there(Path path) throws KernelTrouble, InterruptedException {
        Optional<PathStat> there = paths.stat(Place.of(MACHINE, path), Deadline.in(time, WITHIN));
        if (there.filter(PathStat::isDirectory).isEmpty()) {
            throw refused(path + (there.isEmpty() ? " is not there: make the directory first" : " is no directory"));
        }
    }

    private static KernelTrouble refused(String why) {
        return new KernelTrouble("the node refuses: " + why, Effect.NONE, Retry.NEVER);
    }

    // What allocations use.

    /** An allocation whose tasks run already, by its earlier agent's word, has its volumes. */
    void found(String allocId, Map<String, VolumeId> volumes) {
        volumes.forEach((alias, volume) -> {
            if (HostVolumeNames.isFor(volume)) {
                uses.put(new Use(allocId, alias), new Used(volume, 0, false));
            }
        });
    }

    Publication use(GrantedClaim claim) throws KernelTrouble {
        Used used = new Used(claim.volume(), claim.epoch(), claim.readOnly());
        uses.put(new Use(claim.allocId(), claim.alias()), used);
        Optional<Publication> publication = publication(claim.allocId(), claim.alias());
        if (publication.isEmpty()) {
            uses.remove(new Use(claim.allocId(), claim.alias()));
            throw refused("it has no host volume with the id " + used.id());
        }
        return publication.get();
    }

    void letGo(String allocId, String alias) {
        uses.remove(new Use(allocId, alias));
    }

    Optional<Publication> publication(String allocId, String alias) {
        return Optional.ofNullable(uses.get(new Use(allocId, alias)))
                .flatMap(used -> made.find(used.id())
                        .map(volume -> new Publication(
                                allocId, alias, used.volume(), used.epoch(), Path.of(volume.path()), used.readOnly())));
    }

    /** What is used, by the keys of its claims: a server of an older past does not know of them. */
    List<ToServer.Held> held() {
        return uses.entrySet().stream()
                .map(use -> new ToServer.Held(
                        HostVolumeNames.PLUGIN,
                        use.getValue().id(),
                        use.getKey().allocId(),
                        use.getKey().alias()))
                .toList();
    }

    boolean isUsed(String allocId, String alias) {
        return uses.containsKey(new Use(allocId, alias));
    }

    long epoch(String allocId, String alias) {
        Used used = uses.get(new Use(allocId, alias));
        return used == null ? 0 : used.epoch();
    }

    /** The aliases under which an allocation uses some. */
    Set<String> aliases(String allocId) {
        return uses.keySet().stream()
                .filter(use -> use.allocId().equals(allocId))
                .map(Use::alias)
                .collect(Collectors.toSet());
    }
}
