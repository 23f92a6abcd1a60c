package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** One control group in all hierarchies that are used. */
final class LinuxCgroup implements Cgroups.Group {
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final Cgroups.Stats NOT_COUNTED = new Cgroups.Stats(
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty());

    private final String name;
    private final String path;
    private final List<Place> places;
    private final List<Path> others;
    private final Time time;

    /** @param others its directories in hierarchies that are only cleared */
    LinuxCgroup(String name, String path, List<Place> places, List<Path> others, Time time) {
        this.name = name;
        this.path = path;
        this.places = List.copyOf(places);
        this.others = List.copyOf(others);
        this.time = time;
    }

    /** The group's directory in one hierarchy. */
    record Place(Hierarchy hierarchy, Path directory) {}

    @Override
    public String name() {
        return name;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public List<Path> directories() {
        return places.stream().map(Place::directory).toList();
    }

    @Override
    public void add(long pid) throws KernelTrouble {
        for (Place place : places) {
            try {
                write(place.directory().resolve("cgroup.procs"), Long.toString(pid));
            } catch (IOException failed) {
                throw trouble("process " + pid + " could not join", failed, Effect.UNKNOWN);
            }
        }
    }

    @Override
    public void limit(Cgroups.Limits limits) throws KernelTrouble {
        for (Place place : places) {
            Map<String, Long> values = place.hierarchy() instanceof Hierarchy.Version2 ? second(limits) : first(limits);
            for (Map.Entry<String, Long> value : values.entrySet()) {
                Path file = place.directory().resolve(value.getKey());
                if (!Files.exists(file)) {
                    continue;
                }
                try {
                    write(file, Long.toString(value.getValue()));
                } catch (IOException refused) {
                    throw trouble(value.getKey() + " could not be set to " + value.getValue(), refused, Effect.NONE);
                }
            }
        }
    }

    /** In the order in which they must be written. */
    private static Map<String, Long> first(Cgroups.Limits limits) {
        Map<String, Long> values = new LinkedHashMap<>();
        if (limits.cpuShares() > 0) {
            values.put("cpu.shares", shares(limits));
        }
        if (limits.memoryMaxBytes() > 0) {
            values.put("memory.limit_in_bytes", limits.memoryMaxBytes());
            // What is beyond the limit is an error to be seen, not to be moved to a slow disk.
            values.put("memory.memsw.limit_in_bytes", limits.memoryMaxBytes());
            if (limits.memoryBytes() < limits.memoryMaxBytes()) {
                values.put("memory.soft_limit_in_bytes", limits.memoryBytes());
            }
        }
        return withTasks(limits, values);
    }

    private static Map<String, Long> second(Cgroups.Limits limits) {
        Map<String, Long> values = new LinkedHashMap<>();
        if (limits.cpuShares() > 0) {
            // The kernel's own conversion of [2, 262144] to [1, 10000].
            values.put("cpu.weight", 1 + (shares(limits) - 2) * 9999 / 262_142);
        }
        if (limits.memoryMaxBytes() > 0) {
            values.put("memory.max", limits.memoryMaxBytes());
            values.put("memory.swap.max", 0L);
            if (limits.memoryBytes() < limits.memoryMaxBytes()) {
                values.put("memory.low", limits.memoryBytes());
            }
        }
        return withTasks(limits, values);
    }

    private static Map<String, Long> withTasks(Cgroups.Limits limits, Map<String, Long> values) {
        if (limits.tasks() > 0) {
            values.put("pids.max", limits.tasks());
        }
        return values;
    }

    private static long shares(Cgroups.Limits limits) {
        return Math.clamp(limits.cpuShares(), 2, 262_144);
    }

    @Override
    public List<Long> processes() throws KernelTrouble {
        Set<Long> found = new TreeSet<>();
        for (Place place : places) {
            for (Path group : tree(place.directory())) {
                found.addAll(members(group));
            }
        }
        return List.copyOf(found);
    }

    @Override
    public void killAll(Deadline deadline) throws KernelTrouble, InterruptedException {
        while (!processes().isEmpty()) {
            for (Place place : places) {
                kill(place);
            }
            if (processes().isEmpty()) {
                return;
            }
            if (deadline.isExpired()) {
                throw new KernelTrouble(
                        "processes "
                                + processes()
                                + " of the control group "
                                + name
                                + " were killed and have not ended; they may wait for a disk or a plugin",
                        Effect.UNKNOWN,
                        Retry.SAME_CALL);
            }
            time.sleep(PAUSE);
        }
    }

    private void kill(Place place) throws KernelTrouble {
        try {
            if (Files.exists(place.directory().resolve("cgroup.kill"))) {
                write(place.directory().resolve("cgroup.kill"), "1");
                return;
            }
            // What is frozen cannot fork between the reading and the killing.
            Path freezer = place.directory().resolve("freezer.state");
            boolean freezes = Files.exists(freezer);
            if (freezes) {
                write(freezer, "FROZEN");
            }
            try {
                signalEach(place.directory());
            } finally {
                if (freezes) {
                    write(freezer, "THAWED");
                }
            }
        } catch (IOException failed) {
            throw trouble("its processes could not be killed", failed, Effect.UNKNOWN);
        }
    }

    private void signalEach(Path directory) throws KernelTrouble {
        for (Path group : tree(directory)) {
            for (long pid : members(group)) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    @Override
    public Cgroups.Stats stats() {
        // Where both versions count, version 1 is asked: it was given the controllers.
        Cgroups.Stats stats = NOT_COUNTED;
        for (Place place : places) {
            Path d = place.directory();
            stats = place.hierarchy() instanceof Hierarchy.Version2
                    ? filled(stats, second(d))
                    : filled(first(d), stats);
        }
        return stats;
    }

    private static Cgroups.Stats first(Path directory) {
        return new Cgroups.Stats(
                whole(directory.resolve("cpuacct.usage_user")),
                whole(directory.resolve("cpuacct.usage_sys")),
                whole(directory.resolve("memory.usage_in_bytes")),
                whole(directory.resolve("memory.max_usage_in_bytes")),
                named(directory.resolve("memory.stat"), "total_rss", 1));
    }

    private static Cgroups.Stats second(Path directory) {
        return new Cgroups.Stats(
                named(directory.resolve("cpu.stat"), "user_usec", 1000),
                named(directory.resolve("cpu.stat"), "system_usec", 1000),
                whole(directory.resolve("memory.current")),
                whole(directory.resolve("memory.peak")),
                named(directory.resolve("memory.stat"), "anon", 1));
    }

    private static Cgroups.Stats filled(Cgroups.Stats one, Cgroups.Stats other) {
        return new Cgroups.Stats(
                first(one.cpuUserNanos(), other.cpuUserNanos()),
                first(one.cpuSystemNanos(), other.cpuSystemNanos()),
                first(one.memoryBytes(), other.memoryBytes()),
                first(one.memoryMaxBytes(), other.memoryMaxBytes()),
                first(one.rssBytes(), other.rssBytes()));
    }

    @Override
    public void remove(Deadline deadline) throws KernelTrouble, InterruptedException {
        while (true) {
            try {
                List<Path> directories = new ArrayList<>(others);
                directories.addAll(directories());
                for (Path directory : directories) {
                    for (Path group : tree(directory)) {
                        Files.deleteIfExists(group);
                    }
                }
                return;
            } catch (IOException busy) {
                // The kernel takes a moment after the last process ended.
                if (deadline.isExpired() || !processes().isEmpty()) {
                    throw trouble("it could not be removed", busy, Effect.NONE);
                }
                time.sleep(PAUSE);
            }
        }
    }

    /** The group's directory and those below it, the deepest first; none when it is gone. */
    private List<Path> tree(Path directory) throws KernelTrouble {
        try (Stream<Path> entries = Files.walk(directory)) {
            return entries.filter(Files::isDirectory)
                    .sorted(Comparator.comparingInt(Path::getNameCount).reversed())
                    .toList();
        } catch (NoSuchFileException gone) {
            return List.of();
        } catch (IOException | UncheckedIOException failed) {
            if (!Files.exists(directory)) {
                return List.of();
            }
            throw new KernelTrouble(
                    "the control group " + directory + " could not be read: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    private List<Long> members(Path group) throws KernelTrouble {
        try {
            List<Long> pids = new ArrayList<>();
            for (String line : Files.readAllLines(group.resolve("cgroup.procs"))) {
                pids.add(Long.parseLong(line.strip()));
            }
            return pids;
        } catch (IOException | NumberFormatException failed) {
            if (!Files.exists(group)) {
                return List.of();
            }
            throw new KernelTrouble(
                    "the processes of " + group + " could not be read: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.WRITE);
    }

    private static OptionalLong first(OptionalLong one, OptionalLong other) {
        return one.isPresent() ? one : other;
    }

    private static OptionalLong whole(Path file) {
        try {
            return OptionalLong.of(Long.parseLong(Files.readString(file).strip()));
        } catch (IOException | NumberFormatException notCounted) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong named(Path file, String key, long factor) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(key + " "))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(key.length() + 1).strip()))
                    .map(value -> value * factor)
                    .findFirst();
        } catch (IOException | NumberFormatException | UncheckedIOException notCounted) {
            return OptionalLong.empty();
        }
    }

    private KernelTrouble trouble(String what, IOException cause, Effect effect) {
        return new KernelTrouble("control group " + name + ": " + what + ": " + cause, effect, Retry.SAME_CALL, cause);
    }
}
