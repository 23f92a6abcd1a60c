package io.cleat.api;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.io.InputStream;

/** Reads bodies that are to become one record or one list, as far as there is memory for that. */
final class WholeBody {
    /** Of the heap; what is made of a body takes about twice as much beside it. */
    private static final int SHARE = 4;

    private WholeBody() {}

    /** How long an answer may be in this process, in bytes. */
    static int longest() {
        return (int) Math.min(Integer.MAX_VALUE / 2, Runtime.getRuntime().maxMemory() / SHARE);
    }

    /**
     * The body to its end.
     *
     * @param longest that is read, in bytes
     * @param request whose answer it is, in words
     * @throws LinkTrouble it is longer
     */
    static byte[] read(InputStream in, int longest, String request) throws IOException, LinkTrouble {
        byte[] body = in.readNBytes(longest);
        if (body.length == longest && in.read() >= 0) {
            throw new LinkTrouble(
                    "the answer to "
                            + request
                            + " is longer than "
                            + longest
                            + " bytes, for which this program has no memory; ask for a part of it:"
                            + " by a prefix or a filter, or in pages",
                    Effect.UNKNOWN,
                    Retry.NEVER,
                    null);
        }
        return body;
    }
}
