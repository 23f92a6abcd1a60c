package io.cleat.cli;

import io.cleat.api.Allocation;
import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.Evaluation;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.api.VolumeWhy;
import io.cleat.base.LinkTrouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What an allocation waits for that was placed and has not begun, and what a blocked evaluation waits for: the stories
 * of the volumes it names; what it says itself where it names none, as while a plugin or a place that reaches the
 * volume is absent.
 */
final class Waits {
    private static final String VOLUME = "csi-volume:";
    private static final int MOST_PENDING = 5;

    private Waits() {}

    /** One paragraph per volume, or its own words; empty when there are neither. */
    static String of(Call call, Evaluation blocked) throws Failure, UnexpectedAnswer, LinkTrouble {
        List<String> lines = new ArrayList<>();
        List<String> named = Objects.requireNonNullElse(blocked.MissingNonNodeResources(), List.of());
        for (String missing : named) {
            int namespace = VOLUME.length();
            int id = missing.indexOf(':', namespace) + 1;
            if (!missing.startsWith(VOLUME) || id == 0) {
                continue;
            }
            Optional<VolumeWhy> told = tell(call.clientIn(missing.substring(namespace, id - 1)), missing.substring(id));
            if (told.isEmpty()) {
                continue;
            }
            VolumeWhy why = told.get();
            lines.add("Volume \"%s\": %s".formatted(why.ID(), why.State()));
            String waiting = WhyView.waiting(why, call.isVerbose(), call.now());
            if (!waiting.isEmpty()) {
                lines.add(waiting);
            }
        }
        return lines.isEmpty() ? blocked.StatusDescription() : String.join("\n", lines);
    }

    /**
     * What the claims of an allocation wait for that has not begun: one paragraph for each volume, empty when they wait
     * for nothing.
     */
    static String ofClaims(Call call, Allocation allocation) throws Failure, UnexpectedAnswer, LinkTrouble {
        if (!allocation.ClientStatus().equals("pending")) {
            return "";
        }
        List<String> lines = new ArrayList<>();
        for (String volume : AllocationView.claimed(allocation)) {
            Optional<VolumeWhy> why = tell(call.clientIn(allocation.Namespace()), volume);
            why.stream()
                    .flatMap(told -> told.Claims().stream())
                    .filter(claim -> claim.AllocID().equals(allocation.ID()))
                    .map(VolumeWhy.Claim::BlockedBy)
                    .filter(Objects::nonNull)
                    .map(wait -> WhyView.paragraph("claim of volume " + volume, wait, call.now()))
                    .forEach(lines::add);
        }
        return String.join("\n", lines);
    }

    /** What the first few allocations wait for that have not begun. */
    static String ofPending(Call call, CleatClient client, List<AllocationStub> allocations)
            throws Failure, UnexpectedAnswer, LinkTrouble {
        List<String> lines = new ArrayList<>();
        List<String> pending = allocations.stream()
                .filter(one -> one.ClientStatus().equals("pending"))
                .map(AllocationStub::ID)
                .limit(MOST_PENDING)
                .toList();
        for (String id : pending) {
            Allocation one = client.allocations().get(id, Params.none()).body();
            String waits = ofClaims(call, one);
            if (!waits.isEmpty()) {
                lines.add("Allocation %s: %s".formatted(call.id(id), one.Name()));
                lines.add(waits);
            }
        }
        return String.join("\n", lines);
    }

    /** What a volume waits for; empty when it is gone, or when the agent is one that tells none. */
    static Optional<VolumeWhy> tell(CleatClient client, String volume) throws UnexpectedAnswer, LinkTrouble {
        try {
            return Optional.of(client.volumes().why(volume, Params.none()).body());
        } catch (UnexpectedAnswer answer) {
            if (answer.isNotFound()) {
                return Optional.empty();
            }
            throw answer;
        }
    }
}
