package io.cleat.fuzz.targets;

import io.cleat.codec.RecordCodec;
import io.cleat.fuzz.Target;
import io.cleat.server.ClusterMachine;
import io.cleat.state.Change;
import io.cleat.state.ChangeCodec;
import io.cleat.state.ClusterState;
import io.cleat.state.Snapshot;
import io.cleat.wire.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is stored and sent, with checksums that fit whatever stands there. What can be read is written and read again,
 * and must be the same.
 */
final class Stored implements Target {
    private static final int KINDS = 7;

    /** Torn ends; in a file this is trouble with the file. */
    private static final List<String> SHORT = List.of("EOFException", "UTFDataFormatException");

    private final Method decode = Hidden.method("server.commit.EntryCodec", "decode", byte[].class);
    private final Method encode =
            Hidden.method("server.commit.EntryCodec", "encode", Hidden.type("server.commit.Entry"));
    private final Method snapshot = Hidden.method(
            "server.commit.SnapshotCodec",
            "read",
            java.io.InputStream.class,
            Hidden.type("server.commit.StateMachine"));
    private final RecordCodec<?> allocation = (RecordCodec<?>) Hidden.constant("agent.alloc.AllocationStore", "FORMAT");
    private final ClusterMachine machine = new ClusterMachine();

    @Override
    public String name() {
        return "stored";
    }

    @Override
    public String about() {
        return "log entries, changes, snapshots, allocations, messages of nodes";
    }

    @Override
    public List<byte[]> samples() throws Exception {
        List<byte[]> samples = new ArrayList<>();
        String server = "server/src/test/resources/history";
        String state = "state/src/test/resources/history";
        add(samples, 0, Samples.files(server, "entry-v"));
        add(samples, 1, Samples.files(state, "changes-"));
        add(samples, 2, Samples.files(state, "snapshot-"));
        add(samples, 3, Samples.files("agent/src/test/resources/history", "allc-"));
        add(samples, 4, Samples.files("wire/src/test/resources/history", "nodw-"));
        add(samples, 5, Samples.files("wire/src/test/resources/history", "nodu-"));
        add(samples, 6, Samples.files(server, "snapshot-v"));
        return samples;
    }

    private static void add(List<byte[]> samples, int kind, List<byte[]> texts) {
        for (byte[] text : texts) {
            samples.add(First.with(kind, text));
        }
    }

    @Override
    public void run(byte[] input) throws Exception {
        byte[] rest = First.rest(input);
        try {
            switch (First.of(input, KINDS)) {
                case 0 -> entry(Envelopes.summed(rest));
                case 1 -> changes(Envelopes.fitting(rest));
                case 2 -> image(rest);
                case 3 -> record(allocation, Envelopes.fitting(rest));
                case 4 -> record(WireFormat.TO_NODE, Envelopes.fitting(rest));
                case 5 -> record(WireFormat.TO_SERVER, Envelopes.fitting(rest));
                default -> Hidden.call(snapshot, null, new ByteArrayInputStream(rest), machine);
            }
        } catch (IOException torn) {
            if (!SHORT.contains(torn.getClass().getSimpleName())) {
                throw torn;
            }
        }
    }

    private void entry(byte[] bytes) throws Exception {
        Object entry = Hidden.call(decode, null, (Object) bytes);
        byte[] again = (byte[]) Hidden.call(encode, null, entry);
        if (!Arrays.equals(bytes, again)) {
            Object reread = Hidden.call(decode, null, (Object) again);
            if (!String.valueOf(reread).equals(String.valueOf(entry))) {
                throw new AssertionError("an entry reads back as another: " + reread);
            }
        }
    }

    private static void changes(byte[] bytes) throws Exception {
        List<Change> changes = ChangeCodec.decode(bytes);
        if (!ChangeCodec.decode(ChangeCodec.encode(changes)).equals(changes)) {
            throw new AssertionError("changes read back as others");
        }
    }

    private static void image(byte[] bytes) throws Exception {
        ClusterState state = Snapshot.read(new ByteArrayInputStream(bytes));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Snapshot.write(state, out);
        Snapshot.read(new ByteArrayInputStream(out.toByteArray()));
    }

    private static <T> void record(RecordCodec<T> codec, byte[] bytes) throws Exception {
        T value = codec.decode(bytes);
        if (!codec.decode(codec.encode(value)).equals(value)) {
            throw new AssertionError("a record reads back as another: " + value);
        }
    }
}
