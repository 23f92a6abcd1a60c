package io.cleat.cli;

import io.cleat.api.HostVolumeClaim;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.io.IOException;
import java.util.List;

/** Host volumes that task groups keep. */
final class ClaimVerbs {
    private static final Flag YES = Flag.yes("y", "Do not ask.");

    private ClaimVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("volume claim list", "List the host volumes that groups keep")
                        .takes(0, 1, "[prefix]")
                        .about("Lists which host volumes task groups with sticky volumes come back"
                                + " to. With an argument, only claims whose id begins so.")
                        .flags(
                                Flag.value("job", "id", "Only claims of this job."),
                                Flag.value("group", "name", "Only claims of this task group."),
                                Flag.value("volume-name", "name", "Only claims of volumes so named."),
                                Flag.VERBOSE,
                                Flag.JSON,
                                Flag.TEMPLATE)
                        .examples("cleat volume claim list", "cleat volume claim list -job=db -json")
                        .does(ClaimVerbs::list),
                Verb.named("volume claim delete", "Let a group have another host volume")
                        .takes(1, 1, "<claim>")
                        .about("Deletes the claim of a task group with a sticky volume. What runs"
                                + " goes on; the next allocation of its name may be placed on"
                                + " another node, with another volume, without the data of"
                                + " this one. The volume and its data stay.")
                        .flags(YES)
                        .examples("cleat volume claim delete 8a1f44e0", "cleat volume claim delete -y 8a1f44e0")
                        .does(ClaimVerbs::delete));
    }

    private static List<HostVolumeClaim> found(Call call, Params params, String prefix)
            throws Failure, UnexpectedAnswer, LinkTrouble {
        return call.client().hostVolumes().claims(params.prefix(prefix)).body();
    }

    private static int list(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        Params wanted = Params.none()
                .with("job_id", call.flags().value("job").orElse(""))
                .with("task_group", call.flags().value("group").orElse(""))
                .with("volume_name", call.flags().value("volume-name").orElse(""));
        List<HostVolumeClaim> claims = found(call, wanted, call.argument().orElse(""));
        if (call.machine(claims)) {
            return 0;
        }
        if (claims.isEmpty()) {
            call.say("No volume claims");
        } else {
            call.out(table(claims, call.isVerbose()));
        }
        return 0;
    }

    private static String table(List<HostVolumeClaim> claims, boolean isVerbose) {
        Columns columns = new Columns("ID", "Namespace", "Job ID", "Volume ID", "Volume Name");
        for (HostVolumeClaim claim : claims) {
            columns.row(
                    Human.id(claim.ID(), isVerbose),
                    claim.Namespace(),
                    claim.JobID(),
                    Human.id(claim.VolumeID(), isVerbose),
                    claim.VolumeName());
        }
        return columns.text();
    }

    private static int delete(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        String given = call.argument(0);
        HostVolumeClaim claim = Prefix.one(
                "volume claim", given, found(call, Params.none(), given), HostVolumeClaim::ID, all -> table(all, true));
        if (!call.flags().has(YES)) {
            ask(call, claim);
        }
        call.clientIn(claim.Namespace()).hostVolumes().deleteClaim(claim.ID(), Params.none());
        call.out("Successfully deleted volume claim \"" + claim.ID() + "\"!");
        return 0;
    }

    /** The whole id is sure enough where nobody can be asked. */
    private static void ask(Call call, HostVolumeClaim claim) throws Failure, IOException {
        String what = "let group \"%s\" of job \"%s\" go from its host volume \"%s\""
                .formatted(claim.TaskGroupName(), claim.JobID(), claim.VolumeName());
        if (call.environment().terminal().canAsk()) {
            if (!Question.yes(call, "Are you sure you want to " + what + "?")) {
                throw new Failure("not confirmed: nothing was changed");
            }
        } else if (!claim.ID().equals(call.argument(0))) {
            throw new Failure(
                    "this would " + what + ", and there is no terminal to ask on",
                    "to go on: cleat volume claim delete -y " + claim.ID());
        }
    }
}
