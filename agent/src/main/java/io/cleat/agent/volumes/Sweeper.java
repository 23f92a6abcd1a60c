package io.cleat.agent.volumes;

import io.cleat.base.KernelTrouble;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares journal, mount table and directories, at the start and every few minutes. It removes what is provably ours
 * and unused, that is, stagings without users and empty directories, and says what else it finds.
 */
public final class Sweeper {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final Duration PAUSE = Duration.ofMinutes(5);

    /** Somebody may be clearing it now, and nothing is placed here meanwhile. */
    private static final Duration UNTIL_CLEAR = Duration.ofSeconds(10);

    private final VolumeParts parts;
    private final MountedVolumes volumes;
    // Of the sweeping thread.
    private Set<Path> inUse = Set.of();
    private long inUseAt = -1;
    private volatile Findings last =
            new Findings(List.of("the volume root was not looked at yet"), List.of(), List.of());

    /**
     * What was found.
     *
     * @param strangers mounts below the root that the journal does not know, tasks of which no allocation is known, or
     *     why that could not be looked at
     * @param left what lies where only our directories should, and was not removed
     * @param owed stagings without users that could not be undone now, and why
     */
    public record Findings(List<String> strangers, List<String> left, List<String> owed) {
        public Findings {
            strangers = List.copyOf(strangers);
            left = List.copyOf(left);
            owed = List.copyOf(owed);
        }
    }

    /** Finds what runs on the node and belongs to no allocation that it knows. */
    @FunctionalInterface
    public interface Strays {
        /** In words; empty if there is nothing. */
        List<String> look() throws Trouble;
    }

    public Sweeper(VolumeParts parts, MountedVolumes volumes) {
        this.parts = parts;
        this.volumes = volumes;
    }

    /** Sweeps again and again from now on. */
    public Thread start(Threads threads, Strays strays) {
        return threads.vital("volumes/sweep", () -> {
            for (; ; ) {
                sweep(strays);
                parts.time().sleep(unclear().isEmpty() ? PAUSE : UNTIL_CLEAR);
            }
        });
    }

    /**
     * What the last sweep found mounted or running that nothing written down knows, in words. A node on which there is
     * any, or which was not swept yet, must not be given a volume.
     */
    public List<String> unclear() {
        return last.strangers();
    }

    /** Sweeps once: looks, says whether the node is clear, and then undoes what is owed. */
    public Findings sweep(Strays strays) throws InterruptedException {
        List<String> left = new ArrayList<>();
        List<String> strangers = new ArrayList<>();
        try {
            strangers.addAll(strangers());
            strangers.addAll(strays.look());
            clearDirectories(left);
        } catch (Trouble trouble) {
            strangers.add(trouble.reason());
        }
        found(new Findings(strangers, left, last.owed()));
        found(new Findings(strangers, left, settleOwed()));
        return last;
    }

    private void found(Findings found) {
        List<String> before = unclear();
        if (!found.equals(last)) {
            found.strangers().forEach(each -> LOG.warn("not known here: {}", each));
            found.left().forEach(each -> LOG.warn("left below the volume root: {}", each));
            found.owed().forEach(each -> LOG.warn("still staged without users: {}", each));
        }
        last = found;
        if (!before.equals(unclear())) {
            parts.news().factsChanged();
        }
    }

    private List<String> settleOwed() throws InterruptedException {
        List<String> owed = new ArrayList<>();
        for (VolumeRecord volume : parts.journal().volumes()) {
            if (volume.isOwed()) {
                volumes.settle(volume.key()).ifPresent(why -> owed.add(volume.key() + ": " + why));
            }
        }
        return owed;
    }

    /** What is begun and ended meanwhile is in the journal at one of the two looks. */
    private List<String> strangers() throws KernelTrouble {
        Set<String> first = unknown();
        if (first.isEmpty()) {
            return List.of();
        }
        Set<String> second = unknown();
        return first.stream().filter(second::contains).sorted().toList();
    }

    private Set<String> unknown() throws KernelTrouble {
        Set<Path> known = known();
        MountTable table = parts.mounts().whole();
        known.addAll(known());
        Set<String> unknown = new HashSet<>();
        table.atOrBelow(parts.root()).forEach(mount -> {
            Path target = Path.of(mount.target());
            if (isForVolumes(target) && !isAtOrBelow(known, target)) {
                unknown.add(mount.target() + " is mounted (" + mount.fsType() + ", " + mount.source() + ")");
            }
        });
        return unknown;
    }

    /** Below a plugin's {@code staging} or {@code per-alloc}. */
    private boolean isForVolumes(Path target) {
        if (!target.startsWith(parts.root())) {
            return false;
        }
        Path below = parts.root().relativize(target);
        return below.getNameCount() > 2 && depth(below.getName(1).toString()) > 0;
    }

    private static boolean isAtOrBelow(Set<Path> known, Path target) {
        for (Path at = target; at != null; at = at.getParent()) {
            if (known.contains(at)) {
                return true;
            }
        }
        return false;
    }

    /** What is in somebody's record, and all above it; made anew when the journal has changed. */
    private Set<Path> inUse() {
        long version = parts.journal().version();
        if (version != inUseAt) {
            Set<Path> now = new HashSet<>();
            for (Path path : known()) {
                Path at = path;
                while (at != null && now.add(at)) {
                    at = at.getParent();
                }
            }
            inUse = now;
            inUseAt = version;
        }
        return inUse;
    }

    private Set<Path> known() {
        Set<Path> known = new HashSet<>();
        parts.journal().volumes().forEach(volume -> volume.hostPaths().forEach(known::add));
        return known;
    }

    /** How many levels of our directories are below one of that name. */
    private static int depth(String name) {
        return switch (name) {
            case VolumePaths.STAGING -> 2;
            case VolumePaths.PER_ALLOC -> 3;
            default -> 0;
        };
    }

    private void clearDirectories(List<String> left) throws KernelTrouble, InterruptedException {
        Place root = new Place(parts.root(), "");
        for (String plugin :
                parts.paths().plugin("").list(root, parts.forPath()).sorted()) {
            try {
                Paths paths = parts.paths().plugin(plugin);
                for (String kind : List.of(VolumePaths.STAGING, VolumePaths.PER_ALLOC)) {
                    clear(paths, root.child(plugin).child(kind), depth(kind), left);
                }
            } catch (KernelTrouble trouble) {
                left.add(trouble.reason());
            }
        }
    }

    /** Devices are shown at files, which are empty when nothing is bound there. */
    private void clearFile(Paths paths, Place place, boolean inUse, PathStat found, List<String> left)
            throws KernelTrouble, InterruptedException {
        if (inUse) {
            return;
        }
        if (Directories.isEmptyFile(found)) {
            paths.removeFile(place, parts.forPath());
        } else {
            left.add(place + " is " + Directories.words(found));
        }
    }

    /** Removes {@code place} and what is below it, as far as it is empty and in nobody's record. */
    private void clear(Paths paths, Place place, int depth, List<String> left)
            throws KernelTrouble, InterruptedException {
        Optional<PathStat> found = paths.stat(place, parts.forPath());
        if (found.isEmpty()) {
            return;
        }
        boolean inUse = inUse().contains(place.path());
        if (isMounted(place, found.get())) {
            return;
        }
        if (!found.get().isDirectory()) {
            clearFile(paths, place, inUse, found.get(), left);
            return;
        }
        if (depth > 0) {
            for (String name : paths.list(place, parts.forPath()).sorted()) {
                clear(paths, place.child(name), depth - 1, left);
            }
        }
        if (!inUse && paths.list(place, parts.forPath()).sorted().isEmpty()) {
            paths.removeDirectory(place, parts.forPath());
        } else if (!inUse && depth == 0) {
            left.add(place + " is not empty");
        }
    }

    /** As the kernel says of the path itself; where it does not, as its table shows. */
    private boolean isMounted(Place place, PathStat found) throws KernelTrouble {
        return switch (found.mountRoot()) {
            case YES -> true;
            case NO -> false;
            case UNKNOWN -> new VisibleMounts(parts.mounts()).isMounted(place.path());
        };
    }
}
