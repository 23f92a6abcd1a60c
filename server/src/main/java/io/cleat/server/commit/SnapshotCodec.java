package io.cleat.server.commit;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UTFDataFormatException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The bytes of a snapshot: {@code CLSN}, format version (2 bytes), version, time, feature level, the reigns (format 1:
 * without their first decisions), the CRC32C of all before it (4 bytes); then the image as the {@link StateMachine}
 * writes it.
 */
final class SnapshotCodec {
    static final int MAGIC = 0x434c534e;
    static final int FORMAT = 2;

    /** The feature level from which members read format 2. */
    private static final int LEVEL_OF_FORMAT_2 = 4;

    private SnapshotCodec() {}

    static <S> void write(Applied<S> applied, StateMachine<S, ?> machine, OutputStream to) throws IOException {
        CheckedOutputStream checked = new CheckedOutputStream(to, new CRC32C());
        DataOutputStream out = new DataOutputStream(checked);
        out.writeInt(MAGIC);
        // Where there is no such level there are no older programs.
        int needed = Math.min(LEVEL_OF_FORMAT_2, machine.newestLevel());
        int format = applied.featureLevel() < needed ? 1 : FORMAT;
        out.writeShort(format);
        out.writeLong(applied.version());
        Instant at = applied.decidedAt();
        out.writeLong(at.getEpochSecond());
        out.writeInt(at.getNano());
        out.writeInt(applied.featureLevel());
        out.writeInt(applied.reigns().size());
        for (Reign reign : applied.reigns()) {
            out.writeUTF(reign.id());
            if (format > 1) {
                out.writeLong(reign.first());
            }
            out.writeLong(reign.next());
        }
        out.flush();
        out.writeInt((int) checked.getChecksum().getValue());
        out.flush();
        machine.write(applied.image(), to, applied.featureLevel());
        to.flush();
    }

    static <S> Applied<S> read(InputStream from, StateMachine<S, ?> machine) throws IOException, DiskTrouble {
        try {
            return readWhole(from, machine);
        } catch (EOFException | UTFDataFormatException | DateTimeException | ArithmeticException damage) {
            throw unreadable("is damaged: " + damage);
        }
    }

    private static <S> Applied<S> readWhole(InputStream from, StateMachine<S, ?> machine)
            throws IOException, DiskTrouble {
        CheckedInputStream checked = new CheckedInputStream(from, new CRC32C());
        DataInputStream in = new DataInputStream(checked);
        int magic = in.readInt();
        if (magic != MAGIC) {
            throw unreadable("begins with " + Integer.toHexString(magic));
        }
        int format = in.readShort();
        if (format < 1 || format > FORMAT) {
            throw unreadable("has format "
                    + format
                    + "; this program reads up to "
                    + FORMAT
                    + ": start the program that wrote it, or a newer one");
        }
        long version = in.readLong();
        Instant decidedAt = Instant.ofEpochSecond(in.readLong(), in.readInt());
        int level = in.readInt();
        if (level > machine.newestLevel()) {
            throw unreadable("is of feature level " + level + "; this program reads up to " + machine.newestLevel());
        }
        int count = in.readInt();
        List<Reign> reigns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String id = in.readUTF();
            long first = format == 1 ? 0 : in.readLong();
            reigns.add(new Reign(id, first, in.readLong()));
        }
        int sum = (int) checked.getChecksum().getValue();
        if (in.readInt() != sum) {
            throw unreadable("is damaged: the check sum of its head is wrong");
        }
        return new Applied<>(machine.read(from), version, decidedAt, level, reigns);
    }

    private static DiskTrouble unreadable(String why) {
        return new DiskTrouble("a snapshot " + why, Effect.NONE, Retry.NEVER);
    }
}
