package io.cleat.clusterapi.volumes;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.ArrayList;
import java.util.List;

/**
 * Several things asked in one request, each with an outcome of its own: what is done stays done, and what is not is
 * told, all together. One thing alone is answered as if nothing was around it.
 */
final class Outcomes {
    private final String requestId;
    private final int count;
    private final List<String> done = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    /** @param requestId of the whole; empty for none */
    Outcomes(String requestId, int count) {
        this.requestId = requestId;
        this.count = count;
    }

    /** One of the things. */
    interface Doing {
        void run(String requestId) throws Refused, Trouble, InterruptedException;
    }

    void next(String what, Doing doing) throws Refused, Trouble, InterruptedException {
        if (count == 1) {
            doing.run(requestId);
            return;
        }
        int number = done.size() + faults.size();
        try {
            doing.run(requestId.isEmpty() ? "" : requestId + "." + number);
            done.add(what);
        } catch (Refused refused) {
            faults.add(what + ": " + refused.refusal().message());
        } catch (Trouble trouble) {
            faults.add(what + ": " + trouble.reason());
        }
    }

    /** @throws Refused some were not done */
    void end() throws Refused {
        if (faults.isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder();
        text.append(faults.size() == 1 ? "1 error" : faults.size() + " errors");
        text.append(" occurred:\n");
        faults.forEach(fault -> text.append("\t* ").append(fault).append('\n'));
        text.append(done.isEmpty() ? "nothing was done" : "done: " + String.join(", ", done));
        throw new Refused(new Refusal.Conflict(text.toString()));
    }
}
