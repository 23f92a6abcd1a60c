package io.cleat.cli;

import io.cleat.api.Answer;
import io.cleat.api.CleatClient;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.api.VolumeWhy;
import io.cleat.base.LinkTrouble;
import java.time.Duration;
import java.util.List;

/** The last calls made for a volume, and those that follow. */
final class VolumeEvents {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final Call call;
    private final CleatClient client;
    private final String volume;
    private List<VolumeWhy.Event> told = List.of();

    VolumeEvents(Call call, CleatClient client, String volume) {
        this.call = call;
        this.client = client;
        this.volume = volume;
    }

    int list() throws Failure, UnexpectedAnswer, LinkTrouble {
        List<VolumeWhy.Event> events = ask(Params.none()).body().Events();
        if (call.machine(events)) {
            return 0;
        }
        if (events.isEmpty()) {
            call.say("No calls were made for this volume yet");
        } else {
            call.out(WhyView.events(events, call.isVerbose(), call.now(), call.zone()));
        }
        return 0;
    }

    /** Prints each event as it comes, one a line, until the volume is gone. */
    int watch() throws UnexpectedAnswer, LinkTrouble {
        long index = 0;
        while (true) {
            Params params = index == 0 ? Params.none() : Params.none().newerThan(index, LONGEST_WAIT);
            Answer<VolumeWhy> answer;
            try {
                answer = ask(params);
            } catch (UnexpectedAnswer gone) {
                if (index > 0 && gone.status() == 404) {
                    call.say("The volume is gone");
                    return 0;
                }
                throw gone;
            }
            index = answer.meta().index();
            List<VolumeWhy.Event> events = answer.body().Events();
            // Events that were told are the same records; when all are new, some may be lost.
            events.stream().filter(event -> !told.contains(event)).forEach(this::tell);
            told = events;
        }
    }

    private Answer<VolumeWhy> ask(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.volumes().why(volume, params);
    }

    private void tell(VolumeWhy.Event event) {
        String time = event.Time() == null ? "" : Human.time(event.Time(), call.zone()) + "  ";
        call.outNow("%s%s  %s  %s  node %s%s"
                .formatted(
                        time,
                        event.Call(),
                        event.Code(),
                        Human.took(event.Duration()),
                        call.id(event.NodeID()),
                        event.Message().isEmpty() ? "" : "  " + event.Message()));
    }
}
