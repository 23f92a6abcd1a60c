package io.cleat.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** Where the answer of one request goes. */
@FunctionalInterface
interface AnswerSink {
    /** A length that is not known before the body has ended. */
    long UNKNOWN = -1;

    /**
     * Says the head; the body is written to what is returned, whose closing says that all has come.
     *
     * @param length of the body in bytes, or {@link #UNKNOWN}
     */
    OutputStream begin(int status, Map<String, String> headers, long length) throws IOException;
}
