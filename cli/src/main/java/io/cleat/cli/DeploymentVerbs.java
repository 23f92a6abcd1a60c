package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.Deployment;
import io.cleat.api.DeploymentUpdateResponse;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.util.List;

/** What can be asked about deployments, and done to them. */
final class DeploymentVerbs {
    static final Flag GROUP = Flag.repeated("group", "name", "Only the canaries of this group; may be repeated.");

    private DeploymentVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("deployment list", "List deployments")
                        .about("Lists deployments, newest first.")
                        .flags(Flag.VERBOSE, Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat deployment list")
                        .does(DeploymentVerbs::list),
                Verb.named("deployment status", "Show one deployment")
                        .takes(0, 1, "[deployment]")
                        .about("Shows how far a deployment is. Without an argument lists all of"
                                + " them. With -monitor watches it until it is over, and"
                                + " returns 1 if it did not succeed.")
                        .flags(
                                Flag.yes("monitor", "Watch it until it is over."),
                                Flag.VERBOSE,
                                Flag.JSON,
                                Flag.TEMPLATE)
                        .examples("cleat deployment status 3edf3d51")
                        .does(DeploymentVerbs::status),
                Verb.named("deployment pause", "Hold a deployment")
                        .takes(1, 1, "<deployment>")
                        .about("Nothing more of the job's new version is spread until the"
                                + " deployment is resumed. The time is not counted against"
                                + " its deadlines.")
                        .flags(Flag.VERBOSE)
                        .examples("cleat deployment pause 3edf3d51")
                        .does(call -> pause(call, true)),
                Verb.named("deployment resume", "Let a held deployment go on")
                        .takes(1, 1, "<deployment>")
                        .flags(Flag.DETACH, Flag.VERBOSE)
                        .examples("cleat deployment resume 3edf3d51")
                        .does(call -> pause(call, false)),
                Verb.named("deployment promote", "Promote a deployment's canaries")
                        .takes(1, 1, "<deployment>")
                        .about("Takes healthy canaries for good, and replaces the other allocations of their groups.")
                        .flags(GROUP, Flag.DETACH, Flag.VERBOSE)
                        .examples("cleat deployment promote 3edf3d51", "cleat deployment promote -group=web 3edf3d51")
                        .does(call -> {
                            Deployment found = find(call);
                            return promote(call, call.clientIn(found.Namespace()), found.ID());
                        }),
                Verb.named("deployment fail", "End a deployment as failed")
                        .takes(1, 1, "<deployment>")
                        .about("Nothing more of the job's new version is spread; where its update"
                                + " block says auto_revert, the last stable version comes"
                                + " back.")
                        .flags(Flag.DETACH, Flag.VERBOSE)
                        .examples("cleat deployment fail 3edf3d51")
                        .does(DeploymentVerbs::fail));
    }

    private static int list(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        return list(call, call.client().deployments().list(Params.none()).body());
    }

    /** Prints deployments, a line each. */
    static int list(Call call, List<Deployment> found) throws Failure {
        if (!call.machine(found)) {
            call.out(found.isEmpty() ? "No deployments found" : DeploymentView.list(found, call.isVerbose()));
        }
        return 0;
    }

    private static int status(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        if (call.argument().isEmpty()) {
            return list(call);
        }
        Deployment found = find(call);
        CleatClient client = call.clientIn(found.Namespace());
        if (call.flags().has("monitor")) {
            return new DeploymentMonitor(call, client).watch(found.ID());
        }
        Deployment one = client.deployments().get(found.ID(), Params.none()).body();
        if (call.machine(one)) {
            return 0;
        }
        call.out(DeploymentView.summary(one, call.isVerbose()));
        call.section("Deployed", DeploymentView.groups(one, call.zone()));
        if (call.isVerbose()) {
            call.section(
                    "Allocations",
                    AllocationsView.table(
                            client.deployments()
                                    .allocations(one.ID(), Params.none())
                                    .body(),
                            true,
                            call.now()));
        }
        return 0;
    }

    private static int pause(Call call, boolean pause)
            throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        Deployment found = find(call);
        CleatClient client = call.clientIn(found.Namespace());
        DeploymentUpdateResponse done = client.deployments().pause(found.ID(), pause, Params.none());
        call.out("Deployment \"%s\" %s".formatted(call.id(found.ID()), pause ? "paused" : "resumed"));
        return follow(call, client, done);
    }

    /** Promotes the canaries of a deployment, or of the groups that the flags name. */
    static int promote(Call call, CleatClient client, String id)
            throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        DeploymentUpdateResponse done =
                client.deployments().promote(id, call.flags().values(GROUP.name()), Params.none());
        call.out("Deployment \"%s\" promoted".formatted(call.id(id)));
        return follow(call, client, done);
    }

    private static int fail(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        Deployment found = find(call);
        CleatClient client = call.clientIn(found.Namespace());
        DeploymentUpdateResponse done = client.deployments().fail(found.ID(), Params.none());
        call.out("Deployment \"%s\" failed".formatted(call.id(found.ID())));
        if (done.RevertedJobVersion() != null) {
            call.out("Auto-reverted to job version " + done.RevertedJobVersion());
        }
        return follow(call, client, done);
    }

    private static int follow(Call call, CleatClient client, DeploymentUpdateResponse done)
            throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        if (done.EvalID().isEmpty()) {
            return 0;
        }
        if (call.flags().has(Flag.DETACH)) {
            call.out("Evaluation ID: " + call.id(done.EvalID()));
            return 0;
        }
        return new Monitor(call, client).watch(done.EvalID());
    }

    private static Deployment find(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String given = call.argument(0);
        return Prefix.one(
                "deployment",
                given,
                call.client()
                        .deployments()
                        .list(Params.none().prefix(Prefix.isWholeUuid(given) ? given : Prefix.ofUuid(given)))
                        .body(),
                Deployment::ID,
                found -> DeploymentView.list(found, true));
    }
}
