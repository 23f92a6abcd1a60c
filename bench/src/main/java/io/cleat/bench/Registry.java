package io.cleat.bench;

import io.cleat.base.Refusal;
import io.cleat.server.commit.Decision;
import io.cleat.server.commit.Proposal;
import io.cleat.server.commit.Stamp;
import io.cleat.server.commit.StateMachine;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/** A state of named rows; a registration is refused when the name is another's. */
final class Registry implements StateMachine<PMap<String, String>, String> {
    /** About what a volume's registration takes. */
    private static final String ROW = "r".repeat(380);

    /** Registers {@code name} with the same row as ever; the reply is the version. */
    static Proposal<PMap<String, String>, String, Long> registering(String name) {
        return (newest, context) -> {
            String stored = newest.get(name);
            return stored == null || stored.equals(ROW)
                    ? new Decision.Accept<>(List.of(name + "=" + ROW), context.version())
                    : new Decision.Reject<>(new Refusal.Conflict(name + " is another volume"));
        };
    }

    @Override
    public PMap<String, String> empty() {
        return HashTreePMap.empty();
    }

    @Override
    public PMap<String, String> apply(PMap<String, String> image, List<String> changes, Stamp stamp) {
        PMap<String, String> next = image;
        for (String change : changes) {
            int equals = change.indexOf('=');
            next = next.plus(change.substring(0, equals), change.substring(equals + 1));
        }
        return next;
    }

    @Override
    public int newestLevel() {
        return 1;
    }

    @Override
    public byte[] encode(List<String> changes, int level) {
        return String.join("\n", changes).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public List<String> decode(byte[] changes) {
        return List.of(new String(changes, StandardCharsets.UTF_8).split("\n", -1));
    }

    @Override
    public void write(PMap<String, String> image, OutputStream to, int level) throws IOException {
        DataOutputStream out = new DataOutputStream(to);
        out.writeInt(image.size());
        for (Map.Entry<String, String> row : image.entrySet()) {
            out.writeUTF(row.getKey());
            out.writeUTF(row.getValue());
        }
        out.flush();
    }

    @Override
    public PMap<String, String> read(InputStream from) throws IOException {
        DataInputStream in = new DataInputStream(from);
        PMap<String, String> image = empty();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            image = image.plus(in.readUTF(), in.readUTF());
        }
        return image;
    }
}
