package io.cleat.sim;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One machine's mount table in memory. The directories are real, what is mounted on them is not.
 */
final class SimMounts implements Mounts {
    private static final Mount.Propagation SHARED =
            new Mount.Propagation(OptionalInt.of(1), OptionalInt.empty(), false);
    private static final Mount ROOT =
            new Mount(
                    1,
                    0,
                    new Mount.Device(8, 1),
                    "/",
                    "/",
                    List.of("rw"),
                    SHARED,
                    "ext4",
                    "/dev/root",
                    List.of("rw"));

    /** The major number of volumes' devices. */
    static final int VOLUMES = 259;

    private List<Mount> mounts = List.of(ROOT);
    private int lastId = 1;

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

    List<Mount> all() {
        return mounts;
    }

    /** Mounts a volume's device. */
    void mountDevice(int minor, String source, Path target, boolean readOnly) {
        add(new Mount.Device(VOLUMES, minor), "/", target, readOnly, source);
    }

    void bind(Path source, Path target, boolean readOnly) {
        Mount from = holding(source);
        boolean exact = from.target().equals(source.toString());
        add(
                from.device(),
                exact ? from.root() : source.toString(),
                target,
                readOnly,
                from.source());
    }

    private void add(
            Mount.Device device, String root, Path target, boolean readOnly, String source) {
        List<Mount> next = new ArrayList<>(mounts);
        next.add(
                new Mount(
                        ++lastId,
                        holding(target).id(),
                        device,
                        root,
                        target.toString(),
                        List.of(readOnly ? "ro" : "rw"),
                        SHARED,
                        "ext4",
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
            throw new KernelTrouble(
                    "unmount " + target + " failed: busy", Effect.NONE, Retry.SAME_CALL);
        }
        mounts = mounts.stream().filter(m -> m.id() != top.get().id()).toList();
        return true;
    }

    @Override
    public boolean detach(Path target) throws KernelTrouble {
        return unmount(target);
    }
}
