package io.cleat.processtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * One damage of one durable file, and what the next agent does and says of it, as docs/damaged-files.md has it.
 *
 * @param tasks what the tasks do that the agent has left
 */
record DamageTrial(Kept kept, Damage damage, Tasks tasks) {
    /** What the next agent does. */
    enum Word {
        /** It does not start, names the file, and changes nothing. */
        REFUSED,

        /** It starts, and the task is one that it watches. */
        GOES_ON,

        /** It starts, and the task goes on, watched or not. */
        STARTS,

        /** It starts, and the cluster is in recovery, as after a restored copy. */
        RECOVERS
    }

    /** Of which file what is done when it is damaged, and when it is gone, and what is said then. */
    enum Kept {
        IDENTITY("server/log/identity", Word.REFUSED, Word.REFUSED, "", ""),
        KEY("server/secrets.key", Word.REFUSED, Word.GOES_ON, "", "secrets.key"),
        ACKNOWLEDGED("server/acknowledged", Word.GOES_ON, Word.GOES_ON, "acknowledged", ""),
        /** Of a server that was restarted, so that it is not all of the log. */
        SEGMENT("server/log/ratis/*/current/log_inprogress_*", Word.RECOVERS, Word.RECOVERS, "", ""),
        TERM("server/log/ratis/*/current/raft-meta", Word.REFUSED, Word.REFUSED, "", ""),
        MEMBERS("server/log/ratis/*/current/raft-meta.conf", Word.REFUSED, Word.GOES_ON, "", ""),
        NODE("client/node", Word.REFUSED, Word.REFUSED, "", ""),
        OBEYED("client/obeyed", Word.REFUSED, Word.GOES_ON, "", ""),
        ALLOCATION(
                "client/allocations/*",
                Word.STARTS,
                Word.STARTS,
                "quarantined: what this node has written down of it cannot be read",
                "nothing is written down of it"),
        JOURNAL("client/volumes.journal", Word.REFUSED, Word.REFUSED, "", ""),
        REGISTRY("client/plugins.registry", Word.GOES_ON, Word.GOES_ON, "plugins.registry cannot be used", ""),
        SHIM("client/shims/*/state", Word.GOES_ON, Word.GOES_ON, "", ""),
        SOCKET("client/shims/*/socket", Word.GOES_ON, Word.GOES_ON, "", ""),
        EXIT("client/shims/*/exit", Word.GOES_ON, Word.GOES_ON, "", "");

        final String file;
        final Word damaged;
        final Word gone;
        final String saidOfDamaged;
        final String saidOfGone;

        Kept(String file, Word damaged, Word gone, String saidOfDamaged, String saidOfGone) {
            this.file = file;
            this.damaged = damaged;
            this.gone = gone;
            this.saidOfDamaged = saidOfDamaged;
            this.saidOfGone = saidOfGone;
        }

        /** Whether it is a file of the log's library, of which an agent knows more than one. */
        boolean isOfTheLog() {
            return this == SEGMENT || this == TERM || this == MEMBERS;
        }

        private boolean isOfAShim() {
            return this == SHIM || this == SOCKET || this == EXIT;
        }
    }

    /** What becomes of a file's bytes. */
    enum Damage {
        BIT,
        EMPTIED,
        CUT,
        ZEROS,
        FOLLOWED_BY_GARBAGE,
        GONE,
        A_DIRECTORY,
        /** The disk does not give it, nor say that it is not there. */
        UNREADABLE
    }

    /** What the agent's death leaves. */
    enum Tasks {
        GO_ON,

        /** They are killed before the next agent starts. */
        ENDED
    }

    /** All that a checksum, or a format, lets be seen. */
    static List<DamageTrial> all() {
        List<DamageTrial> all = new ArrayList<>();
        for (Kept kept : Kept.values()) {
            for (Damage damage : Damage.values()) {
                for (Tasks tasks : Tasks.values()) {
                    DamageTrial trial = new DamageTrial(kept, damage, tasks);
                    if (trial.isTold()) {
                        all.add(trial);
                    }
                }
            }
        }
        return all;
    }

    Word word() {
        return switch (damage) {
            case GONE -> kept.gone;
            case A_DIRECTORY, UNREADABLE ->
                kept.damaged == Word.GOES_ON && !kept.isOfAShim() ? Word.REFUSED : kept.damaged;
            // The half of a record is a torn one: what is mounted tells that it was acted upon.
            case CUT -> kept == Kept.JOURNAL ? Word.STARTS : kept.damaged;
            default -> kept.damaged;
        };
    }

    /** What is printed by an agent that starts; empty for nothing. */
    String said() {
        return switch (damage) {
            // Of tasks that run, and of nothing else, a lost file is missed.
            case GONE -> kept == Kept.ALLOCATION && tasks == Tasks.ENDED ? "" : kept.saidOfGone;
            case CUT ->
                kept == Kept.JOURNAL
                        ? "quarantined: the journal of volumes does not know what is mounted for it"
                        : kept.saidOfDamaged;
            default -> kept.saidOfDamaged;
        };
    }

    /** What of it is not a damage that its checksum, or its format, lets be seen. */
    private boolean isTold() {
        return switch (kept) {
            // Without a checksum: what still reads as one is believed.
            case TERM -> damage == Damage.GONE || damage == Damage.EMPTIED;
            case MEMBERS -> damage == Damage.A_DIRECTORY || damage == Damage.GONE;
            // Which record a bit is in decides; the tests of the log try each.
            case SEGMENT -> damage == Damage.GONE || damage == Damage.EMPTIED;
            // It has no bytes.
            case SOCKET -> damage == Damage.GONE && tasks == Tasks.GO_ON;
            // There is none before the end; one that still reads as one is believed.
            case EXIT ->
                tasks == Tasks.ENDED
                        && damage != Damage.BIT
                        && damage != Damage.UNREADABLE
                        && damage != Damage.FOLLOWED_BY_GARBAGE;
            default -> true;
        };
    }

    /** The file, below the data directory of an agent. */
    Path find(Path data, String alloc) throws IOException {
        PathMatcher wanted = data.getFileSystem().getPathMatcher("glob:" + data + "/" + kept.file);
        try (Stream<Path> all = Files.walk(data.resolve(kept.file.split("/", 2)[0]))) {
            return all.filter(wanted::matches)
                    .filter(path -> !kept.file.contains("*")
                            || kept.isOfTheLog()
                            || path.toString().contains(alloc))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no " + kept.file));
        }
    }

    /**
     * Damages it.
     *
     * @param chance which bit and which garbage
     */
    void apply(Path file, byte[] whole, Random chance) throws IOException {
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
            case UNREADABLE -> {
                Files.delete(file);
                Files.createSymbolicLink(file, file);
            }
        }
    }
}
