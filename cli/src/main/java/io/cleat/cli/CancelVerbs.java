package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.api.VolumeOperation;
import io.cleat.base.LinkTrouble;
import java.util.List;

/** Undoing plugins' calls that are not settled. */
final class CancelVerbs {
    private CancelVerbs() {}

    static List<Verb> all() {
        return List.of(Verb.named("volume cancel", "Undo a call that has no known end")
                .takes(1, 1, "<volume|snapshot|operation>")
                .about("Ends a call that makes or deletes a volume or a snapshot and is not"
                        + " settled: by its id, the beginning of that, or the name of"
                        + " the volume or snapshot. A call that was never sent ends at"
                        + " once. Else a creation is made again, to learn what it made,"
                        + " and that is deleted; a deletion cannot be undone, and is"
                        + " made again until the plugin answers. The name is free once"
                        + " it is settled.")
                .flags(Flag.VERBOSE)
                .examples("cleat volume cancel data", "cleat volume cancel 2e049499")
                .does(CancelVerbs::cancel));
    }

    private static int cancel(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        CleatClient client = call.client();
        VolumeOperation found = find(call, OperationsView.pending(client, ""));
        call.out(client.volumes().cancel(found.ID(), Params.none()).Message());
        call.say("  how far it is: cleat volume why " + OperationsView.about(found));
        return 0;
    }

    private static VolumeOperation find(Call call, List<VolumeOperation> all) throws Failure {
        String given = call.argument(0);
        // What deletes a cancelled creation's volume is about the same volume.
        List<VolumeOperation> named = all.stream()
                .filter(one -> OperationsView.about(one).equals(given))
                .filter(one -> !one.Cancelling())
                .toList();
        if (named.size() == 1) {
            return named.getFirst();
        }
        return Prefix.one(
                "operation",
                given,
                all,
                VolumeOperation::ID,
                several -> OperationsView.table(several, true, call.now()));
    }
}
