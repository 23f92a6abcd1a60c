package io.cleat.cli;

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
 * What a blocked evaluation waits for: the stories of the volumes it names; what it says itself
 * where it names none, as while a plugin or a place that reaches the volume is absent.
 */
final class Waits {
    private static final String VOLUME = "csi-volume:";

    private Waits() {}

    /** One paragraph per volume, or its own words; empty when there are neither. */
    static String of(Call call, Evaluation blocked) throws Failure, UnexpectedAnswer, LinkTrouble {
        List<String> lines = new ArrayList<>();
        List<String> named =
                Objects.requireNonNullElse(blocked.MissingNonNodeResources(), List.of());
        for (String missing : named) {
            int namespace = VOLUME.length();
            int id = missing.indexOf(':', namespace) + 1;
            if (!missing.startsWith(VOLUME) || id == 0) {
                continue;
            }
            Optional<VolumeWhy> told =
                    tell(
                            call.clientIn(missing.substring(namespace, id - 1)),
                            missing.substring(id));
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

    /** A volume's story; empty when it is gone, or when the agent is one that tells none. */
    static Optional<VolumeWhy> tell(CleatClient client, String volume)
            throws UnexpectedAnswer, LinkTrouble {
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
