package io.cleat.server.commit;

import io.cleat.base.DiskTrouble;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.codec.Difference;
import java.util.List;
import java.util.Optional;

/**
 * Changes that are about to be logged, as the log's readers will find them. An entry that cannot be read again, reads
 * otherwise than it was decided, or cannot be applied, would end every member at every start; so what is logged was
 * read back and applied before, and what was read is what counts.
 *
 * @param bytes what is logged
 * @param decision what those bytes lead to
 */
@SuppressWarnings("ArrayRecordComponent")
record ReadBack<S, C>(byte[] bytes, AppliedDecision<S, C> decision) {
    /**
     * Encodes and decodes {@code changes}, and applies what was read. Pure: whatever it throws, nothing was changed.
     *
     * @param before the image that they are applied to
     * @param level the cluster's: every program reads them that reads this
     * @param kind what was asked, for the refusal
     * @throws Refused they do not encode, do not decode, decode to something else, or need a newer level
     */
    static <S, C> ReadBack<S, C> of(
            StateMachine<S, C> machine, S before, List<C> changes, int level, Stamp stamp, String kind) throws Refused {
        try {
            byte[] bytes = machine.encode(changes, level);
            List<C> read = machine.decode(bytes);
            if (!read.equals(changes)) {
                throw unfit(kind, "it would be read back otherwise" + where(changes, read));
            }
            S after = machine.apply(before, read, stamp);
            return new ReadBack<>(bytes, new AppliedDecision<>(before, read, after, stamp.version(), bytes.length));
        } catch (DiskTrouble unreadable) {
            throw unfit(kind, unreadable.reason());
        } catch (Refused unwritable) {
            throw unwritable.refusal() instanceof Refusal.Invalid invalid ? unfit(kind, invalid.message()) : unwritable;
        }
    }

    private static String where(Object decided, Object read) {
        Optional<String> place = Difference.between(decided, read);
        return place.map(at -> ", at " + at).orElse("");
    }

    private static Refused unfit(String kind, String why) {
        return new Refused(new Refusal.Invalid("this "
                + kind
                + " was not done, and nothing was changed: what it stores could not be read back ("
                + why
                + "); ask without that"));
    }

    /** The bytes of a whole entry, which its readers take apart again. */
    static byte[] entry(Entry entry) {
        byte[] bytes = EntryCodec.encode(entry);
        try {
            if (EntryCodec.decode(bytes).equals(entry)) {
                return bytes;
            }
        } catch (DiskTrouble unreadable) {
            throw new InvariantBroken("an entry is read back", unreadable.reason());
        }
        throw new InvariantBroken("an entry is read back as it was", entry);
    }
}
