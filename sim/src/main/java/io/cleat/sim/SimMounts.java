package io.cleat.sim;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.BlockDevice;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** One machine's mount table in memory. The directories are real, what is mounted on them is not. */
final class SimMounts implements Mounts {
    private static final Mount.Propagation SHARED =
            new Mount.Propagation(OptionalInt.of(1), OptionalInt.empty(), false);
    private static final Mount ROOT = new Mount(
            1, 0, new Mount.Device(8, 1), "/", "/", List.of("rw"), SHARED, "ext4", "/dev/root", List.of("rw"));

    /** The major number of volumes' devices. */
    private static final int VOLUMES = 259;

    private static final String DEVICES = "devtmpfs";
    private static final String HELD = "fuse.sim";
    private static final int FIRST_HELD = 50;

    /** Whether a bind of the machine's own directory looks as the volume would. */
    private final boolean hidesBare;

    private final Set<Integer> hidden = new HashSet<>();
    private List<Mount> mounts = List.of(ROOT);
    private int lastId = 1;
    private int lastHeld;

    /** Who holds a device's mounts, as FUSE plugins do. */
    private final Map<Mount.Device, SimPlugin> holders = new HashMap<>();

    SimMounts(boolean hidesBare) {
        this.hidesBare = hidesBare;
    }

    @Override
    public MountTable table() {
        return new MountTable(mounts);
    }

    /** As after a reboot. */
    void clear() {
        mounts = List.of(ROOT);
    }

    boolean isMounted(Path path) {
        return at(path).isPresent();
    }

    Optional<Mount> at(Path path) {
        String text = path.toString();
        return mounts.reversed().stream().filter(m -> m.target().equals(text)).findFirst();
    }

    /** Mounts a volume's device. */
    void mountDevice(int minor, String source, Path target, boolean readOnly) {
        add(new Mount.Device(VOLUMES, minor), "/", target, readOnly, "ext4", source);
    }

    /** Shows a volume's device at a file. */
    void showDevice(int minor, String source, Path target, boolean readOnly) {
        add(new Mount.Device(VOLUMES, minor), "/", target, readOnly, DEVICES, source);
    }

    /** The device that is shown there, if it is one. */
    Optional<Mount.Device> deviceAt(Path path) {
        return at(path).filter(mount -> mount.fsType().equals(DEVICES)).map(Mount::device);
    }

    /** A volume's device, which is there while it is shown anywhere. */
    Optional<BlockDevice> device(Mount.Device number) {
        return mounts.stream()
                .filter(m -> m.fsType().equals(DEVICES) && m.device().equals(number))
                .findFirst()
                .map(m -> new BlockDevice(m.isReadOnly(), 1));
    }

    /** Mounts what lives as long as the plugin's process. */
    void mountHeld(SimPlugin holder, String source, Path target, boolean readOnly) {
        Mount.Device device = new Mount.Device(0, FIRST_HELD + ++lastHeld);
        holders.put(device, holder);
        add(device, "/", target, readOnly, HELD, source);
    }

    /** Whether the process that held what is mounted there is gone. */
    boolean isDead(Path path) {
        return at(path).filter(this::isDead).isPresent();
    }

    private boolean isDead(Mount mount) {
        SimPlugin holder = holders.get(mount.device());
        return holder != null && !holder.process.isAlive();
    }

    /** The mounts that show a volume. */
    List<Mount> of(SimVolume volume) {
        return volumes().stream()
                .filter(mount -> mount.source().equals(volume.id))
                .toList();
    }

    /** Those of them, alive, that an allocation's claim has. */
    List<Mount> published(SimVolume volume) {
        return of(volume).stream()
                .filter(mount -> mount.target().contains("/per-alloc/") && !isDead(mount))
                .toList();
    }

    /** The mounts that show any volume. */
    List<Mount> volumes() {
        return mounts.stream()
                .filter(m -> m.device().major() == VOLUMES || m.fsType().equals(HELD))
                .toList();
    }

    /** The file systems of volumes that a plugin has staged, and nobody has published. */
    private List<Mount> stagings() {
        return mounts.stream()
                .filter(m -> m.device().major() == VOLUMES && !m.fsType().equals(DEVICES))
                .filter(m -> m.target().contains("/staging/"))
                .toList();
    }

    /**
     * Takes a staging away, as helpers of drivers do; what was bound from it stays.
     *
     * @return where it was; empty if nothing is staged
     */
    Optional<String> loseStaging(Chaos chaos) {
        List<Mount> all = stagings();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        Mount lost = chaos.pick(all);
        mounts = mounts.stream().filter(m -> m.id() != lost.id()).toList();
        return Optional.of(lost.target());
    }

    /** What an allocation was given that is a directory of the machine itself, and no volume. */
    Optional<String> bare(String files) {
        return mounts.stream()
                .filter(m -> m.target().startsWith(files))
                .filter(m -> m.device().equals(ROOT.device()) || hidden.contains(m.id()))
                .map(Mount::target)
                .findFirst();
    }

    /**
     * Mounts anew what a holder that is gone has held, where its plugin had mounted it; what was bound from there stays
     * as it is.
     *
     * @return how many
     */
    int heal(SimPlugin holder) {
        List<Mount> lost = mounts.stream()
                .filter(this::isDead)
                .filter(m -> m.target().contains("/per-alloc/"))
                .filter(m -> isOf(holder, m))
                .toList();
        for (Mount mount : lost) {
            mounts = mounts.stream().filter(m -> m.id() != mount.id()).toList();
            mountHeld(holder, mount.source(), Path.of(mount.target()), mount.isReadOnly());
        }
        return lost.size();
    }

    private boolean isOf(SimPlugin holder, Mount mount) {
        SimPlugin before = holders.get(mount.device());
        return before != null && before.pluginId.equals(holder.pluginId);
    }

    /** Where a dead one is mounted. */
    List<String> dead() {
        return mounts.stream().filter(this::isDead).map(Mount::target).toList();
    }

    /** Shows what lies below a staging that is gone, as drivers do that do not look. */
    void bindBelow(SimVolume volume, Path staging, Path target, boolean readOnly) {
        if (hidesBare) {
            mountDevice(volume.minor, volume.id, target, readOnly);
            hidden.add(lastId);
        } else {
            bind(staging, target, readOnly);
        }
    }

    void bind(Path source, Path target, boolean readOnly) {
        Mount from = holding(source);
        if (hidden.contains(from.id())) {
            hidden.add(lastId + 1);
        }
        boolean exact = from.target().equals(source.toString());
        add(from.device(), exact ? from.root() : source.toString(), target, readOnly, from.fsType(), from.source());
    }

    private void add(Mount.Device device, String root, Path target, boolean readOnly, String fsType, String source) {
        List<Mount> next = new ArrayList<>(mounts);
        next.add(new Mount(
                ++lastId,
                holding(target).id(),
                device,
                root,
                target.toString(),
                List.of(readOnly ? "ro" : "rw"),
                SHARED,
                fsType,
                source,
                List.of("rw")));
        mounts = List.copyOf(next);
    }

    private Mount holding(Path path) {
        for (Path at = path; at != null; at = at.getParent()) {
            Optional<Mount> found = at(at);
            if (found.isPresent()) {
                return found.get();
            }
        }
        return ROOT;
    }

    @Override
    public void mount(String source, Path target, String fsType, Set<Flag> flags, String options) {
        throw new UnsupportedOperationException("only plugins mount file systems");
    }

    @Override
    public void bind(Path source, Path target) {
        bind(source, target, false);
    }

    @Override
    public void bindAll(Path source, Path target) {
        bind(source, target, false);
    }

    @Override
    public void remountReadOnly(Path target) {
        throw new UnsupportedOperationException("nobody does that");
    }

    @Override
    public void spread(Path target, Spread spread) {
        // Every mount here is shared; what spreads is not simulated.
    }

    @Override
    public boolean unmount(Path target) throws KernelTrouble {
        Optional<Mount> top = at(target);
        if (top.isEmpty()) {
            return false;
        }
        if (mounts.stream().anyMatch(m -> m.parent() == top.get().id())) {
            throw new KernelTrouble("unmount " + target + " failed: busy", Effect.NONE, Retry.SAME_CALL);
        }
        mounts = mounts.stream().filter(m -> m.id() != top.get().id()).toList();
        return true;
    }

    @Override
    public boolean detach(Path target) throws KernelTrouble {
        return unmount(target);
    }
}
