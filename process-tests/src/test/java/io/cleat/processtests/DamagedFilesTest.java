package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each durable file is damaged while its agent is dead and a task goes on, and the next agent does
 * what docs/damaged-files.md says. {@code -Dcleat.damages=N} tries another number of files and
 * damages, {@code -Dcleat.seed=N} others.
 */
@Timeout(20_000)
class DamagedFilesTest {
    private static final int TRIALS = Integer.getInteger("cleat.damages", 1);

    /** Its tasks are ended before it is begun again. */
    private static final Trial LOST = new Trial(Kept.ALLOCATION, Damage.GONE);

    private final long seed = Long.getLong("cleat.seed", System.nanoTime());
    private final Random chance = new Random(seed);

    /** What the next agent does. */
    private enum Word {
        /** It does not start, names the file, and changes nothing. */
        REFUSED,

        /** It starts, and the task is one that it watches. */
        GOES_ON,

        /** It starts, and the task goes on, watched or not. */
        STARTS
    }

    /** Of which file, whole or gone, what is said. */
    private enum Kept {
        IDENTITY("server/log/identity", Word.REFUSED, Word.REFUSED),
        KEY("server/secrets.key", Word.REFUSED, Word.GOES_ON),
        ACKNOWLEDGED("server/acknowledged", Word.GOES_ON, Word.GOES_ON),
        META("server/log/ratis/*/current/raft-meta.conf", Word.REFUSED, Word.GOES_ON),
        NODE("client/node", Word.REFUSED, Word.REFUSED),
        OBEYED("client/obeyed", Word.REFUSED, Word.GOES_ON),
        ALLOCATION("client/allocations/*", Word.STARTS, Word.STARTS),
        JOURNAL("client/volumes.journal", Word.REFUSED, Word.REFUSED),
        REGISTRY("client/plugins.registry", Word.GOES_ON, Word.GOES_ON),
        SHIM("client/shims/*/state", Word.GOES_ON, Word.GOES_ON);

        final String file;
        final Word damaged;
        final Word gone;

        Kept(String file, Word damaged, Word gone) {
            this.file = file;
            this.damaged = damaged;
            this.gone = gone;
        }
    }

    /** What becomes of a file's bytes. */
    private enum Damage {
        BIT,
        EMPTIED,
        CUT,
        ZEROS,
        FOLLOWED_BY_GARBAGE,
        GONE,
        A_DIRECTORY
    }

    private record Trial(Kept kept, Damage damage) {
        Word word() {
            return switch (damage) {
                case GONE -> kept.gone;
                case A_DIRECTORY ->
                        kept.damaged == Word.GOES_ON && kept != Kept.SHIM
                                ? Word.REFUSED
                                : kept.damaged;
                default -> kept.damaged;
            };
        }

        /** What of it is not a damage that its checksum, or its format, lets be seen. */
        boolean isTold() {
            return switch (kept) {
                // Without a checksum: what still reads as one is believed.
                case META -> damage == Damage.A_DIRECTORY || damage == Damage.GONE;
                // A torn last record is dropped: behind whole ones, garbage is one.
                case JOURNAL ->
                        damage == Damage.EMPTIED
                                || damage == Damage.ZEROS
                                || damage == Damage.GONE
                                || damage == Damage.A_DIRECTORY;
                default -> true;
            };
        }
    }

    @Test
    void whatIsDamagedUnderALiveTask_isToldAsThePageSays() throws Exception {
        List<Trial> trials = trials();
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            agent.create(Words.directory("data"));
            agent.register(Words.beating("stays", "data"));
            String alloc = agent.running("stays").ID();
            long task = agent.process(alloc);
            for (Trial trial : trials) {
                String what = trial + ", seed " + seed;
                agent.kill();
                Path file = find(agent.data(), trial.kept(), alloc);
                byte[] whole = Files.readAllBytes(file);
                Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
                apply(trial.damage(), file, whole);
                agent.begin();
                switch (trial.word()) {
                    case REFUSED -> {
                        assertTrue(
                                agent.handle()
                                        .onExit()
                                        .thenApply(end -> true)
                                        .completeOnTimeout(false, 60, TimeUnit.SECONDS)
                                        .get(),
                                () -> what + " was not refused: " + agent.printed());
                        String name = String.valueOf(file.getFileName());
                        assertTrue(agent.printed().contains(name), () -> what + agent.printed());
                    }
                    case GOES_ON -> {
                        agent.awaits(() -> isReady(agent), what + ": it starts");
                        assertEquals(alloc, agent.running("stays").ID(), what);
                    }
                    case STARTS -> agent.awaits(() -> isReady(agent), what + ": it starts");
                }
                if (trial.equals(LOST)) {
                    agent.awaits(() -> agent.process(alloc) != task, what + ": ended first");
                    agent.awaits(() -> agent.process(alloc) > 0, what + ": begun anew");
                    return;
                }
                assertEquals(task, agent.process(alloc), () -> what + agent.printed());
                agent.kill();
                // What the agent has begun anew by now is newer than what was there.
                if (trial.word() != Word.GOES_ON || !Files.isRegularFile(file)) {
                    putBack(file, whole, mode);
                }
                agent.start();
                assertEquals(alloc, agent.running("stays").ID(), what + ": put back");
                assertEquals(task, agent.process(alloc), what + ": put back");
            }
        }
    }

    /** A seeded order of all that can be told; of a lost allocation's file last, if at all. */
    private List<Trial> trials() {
        List<Trial> all = new ArrayList<>();
        for (Kept kept : Kept.values()) {
            for (Damage damage : Damage.values()) {
                Trial trial = new Trial(kept, damage);
                if (trial.isTold()) {
                    all.add(trial);
                }
            }
        }
        Collections.shuffle(all, chance);
        List<Trial> some = new ArrayList<>(all.subList(0, Math.min(TRIALS, all.size())));
        if (some.remove(LOST)) {
            some.add(LOST);
        }
        return some;
    }

    private static Path find(Path data, Kept kept, String alloc) throws IOException {
        PathMatcher wanted = data.getFileSystem().getPathMatcher("glob:" + data + "/" + kept.file);
        try (Stream<Path> all = Files.walk(data.resolve(kept.file.split("/", 2)[0]))) {
            return all.filter(wanted::matches)
                    .filter(
                            path ->
                                    !kept.file.contains("*")
                                            || kept == Kept.META
                                            || path.toString().contains(alloc))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no " + kept.file));
        }
    }

    private void apply(Damage damage, Path file, byte[] whole) throws IOException {
        switch (damage) {
            case BIT -> {
                byte[] damaged = whole.clone();
                int bit = chance.nextInt(whole.length * 8);
                damaged[bit / 8] ^= (byte) (1 << (bit % 8));
                Files.write(file, damaged);
            }
            case EMPTIED -> Files.write(file, new byte[0]);
            case CUT -> Files.write(file, Arrays.copyOf(whole, whole.length / 2));
            case ZEROS -> Files.write(file, new byte[whole.length]);
            case FOLLOWED_BY_GARBAGE -> {
                byte[] longer = Arrays.copyOf(whole, whole.length + 64);
                for (int at = whole.length; at < longer.length; at++) {
                    longer[at] = (byte) (1 + chance.nextInt(255));
                }
                Files.write(file, longer);
            }
            case GONE -> Files.delete(file);
            case A_DIRECTORY -> {
                Files.delete(file);
                Files.createDirectory(file);
            }
        }
    }

    private static void putBack(Path file, byte[] whole, Set<PosixFilePermission> mode)
            throws IOException {
        if (Files.isDirectory(file)) {
            Files.delete(file);
        }
        Files.write(file, whole);
        Files.setPosixFilePermissions(file, mode);
    }

    private static boolean isReady(AgentRun agent) throws Exception {
        assertTrue(agent.handle().isAlive(), agent::printed);
        return agent.printed().contains("is healthy. Ready.");
    }
}
