package io.cleat.http;

import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;

/**
 * What becomes of a fault that was met while one request was worked on: it is told with a short id of the request, and
 * the client is given that id and no more, so that a person finds the one in the log who has the other in hand. The
 * process goes on.
 */
final class InternalErrors {
    static final String HEADER = "X-Request-Id";

    /** Enough to find a line in a log. */
    private static final int LENGTH = 8;

    private final FaultHandler faults;
    private final Ids ids;

    InternalErrors(FaultHandler faults, Ids ids) {
        this.faults = faults;
        this.ids = ids;
    }

    /**
     * Tells a fault.
     *
     * @param what what was asked, without anything of the client's
     * @return the request's id
     */
    String tell(String what, Throwable fault) {
        String id = id();
        String where = "http " + what + ", request " + id;
        if (FaultHandler.isContainable(fault)) {
            faults.contained(where, fault);
        } else {
            // Above is the library, which would go on.
            faults.fault(where, fault);
        }
        return id;
    }

    /** The answer to a request in which a fault was met. */
    Reply reply(String what, Throwable fault) {
        return reply(tell(what, fault), "");
    }

    /**
     * The answer to a request in which a fault was met and told elsewhere.
     *
     * @param words what may be said of it
     */
    Reply told(String words) {
        return reply(id(), ": " + words);
    }

    private static Reply reply(String id, String words) {
        return Reply.text(500, words(id) + words).with(HEADER, id);
    }

    /** What the client reads. */
    static String words(String id) {
        return "internal error; request id " + id + ": the agent's log says more of it";
    }

    private String id() {
        String id = ids.next();
        return id.substring(0, Math.min(LENGTH, id.length()));
    }
}
