package io.cleat.server.commit;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A state for tests: the lines that were written, in order, each as often as it was applied, with their stamps. A line
 * that begins with {@code v2:} needs feature level 2, and is unreadable below; {@code unreadable} is written and never
 * read, {@code decaying} is read once, {@code altering} is read as another.
 */
record Journal(List<Line> lines) {
    record Line(String text, long version, Instant decidedAt) {}

    Journal {
        lines = List.copyOf(lines);
    }

    List<String> texts() {
        return lines.stream().map(Line::text).toList();
    }

    Journal with(List<String> added, Stamp stamp) {
        List<Line> all = new ArrayList<>(lines);
        for (String text : added) {
            all.add(new Line(text, stamp.version(), stamp.decidedAt()));
        }
        return new Journal(all);
    }

    /** What is done with it. */
    static final class Machine implements StateMachine<Journal, String> {
        private final int newestLevel;
        private final AtomicBoolean decayed = new AtomicBoolean();

        Machine(int newestLevel) {
            this.newestLevel = newestLevel;
        }

        @Override
        public Journal empty() {
            return new Journal(List.of());
        }

        @Override
        public Journal apply(Journal image, List<String> changes, Stamp stamp) {
            if (changes.contains("inapplicable")) {
                throw new IllegalStateException("no image comes of this");
            }
            return image.with(changes, stamp);
        }

        @Override
        public int newestLevel() {
            return newestLevel;
        }

        @Override
        public byte[] encode(List<String> changes, int level) throws Refused {
            if (level < 2 && changes.stream().anyMatch(change -> change.startsWith("v2:"))) {
                throw new Refused(new Refusal.Conflict("this needs level 2, not " + level));
            }
            return String.join("\n", changes).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public List<String> decode(byte[] changes) throws DiskTrouble {
            String text = new String(changes, StandardCharsets.UTF_8);
            if (newestLevel < 2 && text.startsWith("v2:")) {
                throw new DiskTrouble("a newer kind: " + text, Effect.NONE, Retry.NEVER);
            }
            if (text.startsWith("unreadable") || (text.startsWith("decaying") && decayed.getAndSet(true))) {
                throw new DiskTrouble("cannot read " + text, Effect.NONE, Retry.NEVER);
            }
            return text.startsWith("altering") ? List.of("altered") : List.of(text.split("\n", -1));
        }

        @Override
        public void write(Journal image, OutputStream to, int level) throws IOException {
            DataOutputStream out = new DataOutputStream(to);
            out.writeInt(image.lines().size());
            for (Line line : image.lines()) {
                out.writeUTF(line.text());
                out.writeLong(line.version());
                Instant at = line.decidedAt();
                out.writeLong(at.getEpochSecond());
                out.writeInt(at.getNano());
            }
            out.flush();
        }

        @Override
        public Journal read(InputStream from) throws IOException {
            DataInputStream in = new DataInputStream(from);
            List<Line> lines = new ArrayList<>();
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                lines.add(new Line(in.readUTF(), in.readLong(), Instant.ofEpochSecond(in.readLong(), in.readInt())));
            }
            return new Journal(lines);
        }

        @Override
        public OptionalLong digest(Journal image, int level) {
            return OptionalLong.of(image.hashCode());
        }
    }

    /** Writes {@code text}; the reply is how many lines there are then. */
    static Proposal<Journal, String, Integer> writing(String text) {
        return (newest, context) ->
                new Decision.Accept<>(List.of(text), newest.lines().size() + 1);
    }

    /** Changes nothing; the reply is how many lines there are. */
    static Proposal<Journal, String, Integer> counting() {
        return (newest, context) ->
                new Decision.Accept<>(List.of(), newest.lines().size());
    }
}
