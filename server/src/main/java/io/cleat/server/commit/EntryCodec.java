package io.cleat.server.commit;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Retry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The bytes of a log entry: {@code CLEN}, format version (2 bytes), kind (1 byte), reign, the kind's own fields, and
 * the CRC32C of all before it (4 bytes). Numbers are big endian, texts as {@link java.io.DataOutput#writeUTF}.
 */
final class EntryCodec {
    static final int MAGIC = 0x434c454e;

    /** The newest; an entry is written in the oldest that has its kind. */
    static final int FORMAT = 2;

    /** What an entry needs besides its decisions, and each decision besides its changes. */
    static final int OVERHEAD = 256;

    static final int PER_DECISION = 8;

    private static final int OPENED = 1;
    private static final int CHANGES = 2;
    private static final int DIGEST = 3;

    /** From format 2 on. */
    private static final int SUM = 4;

    private EntryCodec() {}

    static byte[] encode(Entry entry) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(MAGIC);
            out.writeShort(entry instanceof Entry.SumTaken ? 2 : 1);
            write(entry, out);
            out.writeInt(sum(bytes.toByteArray(), bytes.size()));
        } catch (IOException impossible) {
            throw new InvariantBroken("writing to memory does not fail", impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(Entry entry, DataOutputStream out) throws IOException {
        switch (entry) {
            case Entry.ReignOpened opened -> {
                out.writeByte(OPENED);
                out.writeUTF(opened.reign());
            }
            case Entry.ChangeSet set -> {
                out.writeByte(CHANGES);
                out.writeUTF(set.reign());
                out.writeLong(set.number());
                out.writeLong(set.versionBefore());
                Instant at = set.decidedAt();
                out.writeLong(at.getEpochSecond());
                out.writeInt(at.getNano());
                out.writeInt(set.decisions().size());
                for (Entry.Decided decided : set.decisions()) {
                    out.writeInt(decided.level());
                    out.writeInt(decided.changes().length);
                    out.write(decided.changes());
                }
            }
            case Entry.DigestTaken digest -> {
                out.writeByte(DIGEST);
                out.writeUTF(digest.reign());
                out.writeLong(digest.number());
                out.writeLong(digest.version());
                out.writeLong(digest.digest());
            }
            case Entry.SumTaken taken -> {
                out.writeByte(SUM);
                out.writeUTF(taken.reign());
                out.writeLong(taken.number());
                out.writeLong(taken.version());
                out.writeLong(taken.sum());
            }
        }
        out.flush();
    }

    static Entry decode(byte[] bytes) throws DiskTrouble {
        if (bytes.length < Integer.BYTES + Short.BYTES + 1 + Integer.BYTES) {
            throw unreadable("has only " + bytes.length + " bytes");
        }
        ByteBuffer header = ByteBuffer.wrap(bytes);
        int magic = header.getInt();
        if (magic != MAGIC) {
            throw unreadable("begins with " + Integer.toHexString(magic));
        }
        int format = header.getShort();
        if (format < 1 || format > FORMAT) {
            throw unreadable("has format "
                    + format
                    + "; this program reads up to "
                    + FORMAT
                    + ": start the program that wrote it, or a newer one");
        }
        int end = bytes.length - Integer.BYTES;
        if (header.getInt(end) != sum(bytes, end)) {
            throw unreadable("is damaged: its check sum is wrong");
        }
        try (DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(bytes, header.position(), end - header.position()))) {
            return read(in, format);
        } catch (IOException short_) {
            throw unreadable("ends in the middle: " + short_);
        } catch (DateTimeException | ArithmeticException noTime) {
            throw unreadable("was decided at no time: " + noTime.getMessage());
        }
    }

    private static Entry read(DataInputStream in, int format) throws IOException, DiskTrouble {
        int kind = in.readByte();
        String reign = in.readUTF();
        return switch (kind) {
            case OPENED -> new Entry.ReignOpened(reign);
            case CHANGES -> {
                long number = in.readLong();
                long versionBefore = in.readLong();
                Instant decidedAt = Instant.ofEpochSecond(in.readLong(), in.readInt());
                int count = in.readInt();
                List<Entry.Decided> decisions = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    int level = in.readInt();
                    int length = in.readInt();
                    byte[] changes = in.readNBytes(Math.max(0, length));
                    if (changes.length != length) {
                        throw unreadable("has a decision of " + length + " bytes cut short");
                    }
                    decisions.add(new Entry.Decided(level, changes));
                }
                yield new Entry.ChangeSet(reign, number, versionBefore, decidedAt, decisions);
            }
            case DIGEST -> new Entry.DigestTaken(reign, in.readLong(), in.readLong(), in.readLong());
            case SUM -> {
                if (format < 2) {
                    throw unknown(kind, format);
                }
                yield new Entry.SumTaken(reign, in.readLong(), in.readLong(), in.readLong());
            }
            default -> throw unknown(kind, format);
        };
    }

    private static DiskTrouble unknown(int kind, int format) {
        return unreadable("is of kind " + kind + ", which format " + format + " does not have");
    }

    private static int sum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private static DiskTrouble unreadable(String why) {
        return new DiskTrouble("a log entry " + why, Effect.NONE, Retry.NEVER);
    }
}
