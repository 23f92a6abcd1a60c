package io.cleat.server.intake;

import io.cleat.base.Deadline;
import java.util.Optional;

/**
 * What comes with every request that changes something.
 *
 * @param requestId the caller's own id: asked again under the same one, the request has no second effect and the same
 *     answer, for an hour; without one the server makes one up
 * @param deadline until when somebody waits for the answer
 */
public record Asked(Optional<String> requestId, Deadline deadline) {
    /** Without an id. */
    public static Asked within(Deadline deadline) {
        return new Asked(Optional.empty(), deadline);
    }
}
