package io.cleat.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the members of the log stand.
 *
 * @param Healthy whether all of them serve as they should
 * @param FailureTolerance how many of those that are healthy may fail, and the rest still decides
 * @param Leader the id of the one that leads; empty for none
 * @param Voters the ids of all that vote
 */
public record AutopilotHealth(
        boolean Healthy, int FailureTolerance, List<Server> Servers, String Leader, List<String> Voters) {
    /**
     * One member.
     *
     * @param ID in the log
     * @param SerfStatus {@code alive} or {@code failed}
     * @param LastContact how long ago it heard of the leader, such as {@code 27ms}
     * @param LastTerm of the log
     * @param LastIndex of the last entry that is applied
     * @param StableSince since when it is healthy; null while it is not
     */
    public record Server(
            String ID,
            String Name,
            String Address,
            String SerfStatus,
            String Version,
            boolean Leader,
            String LastContact,
            long LastTerm,
            long LastIndex,
            boolean Healthy,
            boolean Voter,
            @Nullable Instant StableSince) {}
}
