package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.Deployment;
import io.cleat.api.Job;
import io.cleat.api.JobDiff;
import io.cleat.api.JobStub;
import io.cleat.api.JobVersionsResponse;
import io.cleat.api.JobsClient;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What can be asked about the versions of a job and their deployments, and done with them. */
final class VersionVerbs {
    private VersionVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("job history", "List the versions of a job")
                        .takes(1, 1, "<job>")
                        .about("Lists the stored versions of a job, newest first: the last few,"
                                + " the newest stable one, those with a tag, and those that"
                                + " something still runs by.")
                        .flags(
                                Flag.yes("p", "Also show what each changed."),
                                Flag.value(
                                        "diff-version",
                                        "number",
                                        "With -p: compare each with this version instead of the one before it."),
                                Flag.value("diff-tag", "tag", "Likewise, with the version that has this tag."),
                                Flag.value("version", "number", "Only this version."),
                                Flag.JSON,
                                Flag.TEMPLATE)
                        .examples(
                                "cleat job history web",
                                "cleat job history -p -version=3 web",
                                "cleat job history -p -diff-version=0 web",
                                "cleat job history -p -diff-tag=golden web")
                        .does(VersionVerbs::history),
                Verb.named("job revert", "Bring an older version of a job back")
                        .takes(2, 2, "<job> <version or tag>")
                        .about("Stores an older version again, as the newest, and watches it being deployed.")
                        .flags(Flag.DETACH, Flag.VERBOSE)
                        .examples("cleat job revert web 3", "cleat job revert web golden")
                        .does(VersionVerbs::revert),
                Verb.named("job scale", "Have a group have another number of allocations")
                        .takes(2, 3, "<job> [<group>] <count>")
                        .about("Stores a version of the job in which only the count of the group is"
                                + " another, and watches it being deployed. The group may be"
                                + " left out of a job that has one.")
                        .flags(Flag.DETACH, Flag.VERBOSE)
                        .examples("cleat job scale web 3", "cleat job scale shop cache 0")
                        .does(VersionVerbs::scale),
                Verb.named("job deployments", "List the deployments of a job")
                        .takes(1, 1, "<job>")
                        .flags(Flag.yes("latest", "Only the newest, in full."), Flag.VERBOSE, Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat job deployments web")
                        .does(VersionVerbs::deployments),
                Verb.named("job promote", "Promote the canaries of a job")
                        .takes(1, 1, "<job>")
                        .about("Promotes the canaries of the job's newest deployment.")
                        .flags(DeploymentVerbs.GROUP, Flag.DETACH, Flag.VERBOSE)
                        .examples("cleat job promote web")
                        .does(VersionVerbs::promote));
    }

    private static int history(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        JobStub found = JobVerbs.find(call, call.argument(0));
        boolean diffs = call.flags().has("p");
        String tag = call.flags().value("diff-tag").orElse("");
        String given = call.flags().value("diff-version").orElse("");
        JobVersionsResponse answer = call.clientIn(found.Namespace())
                .jobs()
                .versions(
                        found.ID(),
                        diffs,
                        Params.none().with("diff_version", given).with("diff_tag", tag))
                .body();
        String against = tag.isEmpty()
                ? given
                : String.valueOf(tagged(answer.Versions(), tag).orElse(null));
        Optional<String> wanted = call.flags().value("version");
        List<Job> versions = answer.Versions();
        List<Job> shown = wanted.isEmpty() ? versions : List.of(version(versions, found.ID(), wanted.get()));
        if (call.machine(shown)) {
            return 0;
        }
        Iterator<JobDiff> changes = answer.Diffs() == null
                ? Collections.emptyIterator()
                : answer.Diffs().iterator();
        for (Job job : versions) {
            boolean isCompared = !against.equals(String.valueOf(job.Version()));
            @Nullable JobDiff change = isCompared && changes.hasNext() ? changes.next() : null;
            if (!shown.contains(job)) {
                continue;
            }
            call.out(JobView.version(job, call.zone()));
            if (change != null) {
                call.out(DiffView.of(change, true));
            }
            if (!job.equals(shown.getLast())) {
                call.out("");
            }
        }
        return 0;
    }

    /** The number of the version that has the tag. */
    private static Optional<Long> tagged(List<Job> versions, String tag) {
        return versions.stream()
                .filter(job ->
                        job.VersionTag() != null && job.VersionTag().Name().equals(tag))
                .map(Job::Version)
                .findFirst();
    }

    private static Job version(List<Job> versions, String id, String wanted) throws Failure {
        return versions.stream()
                .filter(job -> wanted.equals(String.valueOf(job.Version())))
                .findFirst()
                .orElseThrow(() -> new Failure("job \"%s\" has no version %s; it has %s"
                        .formatted(
                                id, wanted, versions.stream().map(Job::Version).toList())));
    }

    /** One version of a job, by its number. */
    static Job version(JobsClient jobs, String id, String wanted) throws Failure, UnexpectedAnswer, LinkTrouble {
        return version(jobs.versions(id, false, Params.none()).body().Versions(), id, wanted);
    }

    private static int revert(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        JobStub found = JobVerbs.find(call, call.argument(0));
        CleatClient client = call.clientIn(found.Namespace());
        long version = version(client, found.ID(), call.argument(1));
        return follow(
                call,
                client,
                client.jobs()
                        .revert(found.ID(), version, null, Params.none())
                        .body()
                        .EvalID());
    }

    /** A number, or the tag of a version. */
    private static long version(CleatClient client, String id, String given)
            throws Failure, UnexpectedAnswer, LinkTrouble {
        try {
            return Long.parseLong(given);
        } catch (NumberFormatException notOne) {
            return tagged(
                            client.jobs()
                                    .versions(id, false, Params.none())
                                    .body()
                                    .Versions(),
                            given)
                    .orElseThrow(() -> new Failure(
                            ("the version is a number or a tag, and no version of job \"%s\" has the tag \"%s\"; cleat "
                                            + "job history %s lists them")
                                    .formatted(id, given, id)));
        }
    }

    private static int scale(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        JobStub found = JobVerbs.find(call, call.argument(0));
        CleatClient client = call.clientIn(found.Namespace());
        boolean isNamed = call.arguments().size() == 3;
        String group = isNamed ? call.argument(1) : onlyGroup(client, found.ID());
        String given = call.argument(isNamed ? 2 : 1);
        long count;
        try {
            count = Long.parseLong(given);
        } catch (NumberFormatException notOne) {
            throw new Failure("the count is a number, got \"%s\"".formatted(given));
        }
        return follow(
                call,
                client,
                client.jobs()
                        .scale(found.ID(), group, count, Params.none())
                        .body()
                        .EvalID());
    }

    private static String onlyGroup(CleatClient client, String id) throws Failure, UnexpectedAnswer, LinkTrouble {
        Set<String> groups =
                client.jobs().scaleStatus(id, Params.none()).body().TaskGroups().keySet();
        if (groups.size() != 1) {
            throw new Failure("job \"%s\" has several groups (%s): name the one that is meant"
                    .formatted(id, String.join(", ", new TreeSet<>(groups))));
        }
        return groups.iterator().next();
    }

    private static int follow(Call call, CleatClient client, String evaluation)
            throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        if (call.flags().has(Flag.DETACH)) {
            call.out("Evaluation ID: " + call.id(evaluation));
            return 0;
        }
        return new Monitor(call, client).watchDeployed(evaluation);
    }

    private static int deployments(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        JobStub found = JobVerbs.find(call, call.argument(0));
        List<Deployment> all = call.clientIn(found.Namespace())
                .jobs()
                .deployments(found.ID(), true, Params.none())
                .body();
        boolean latest = call.flags().has("latest");
        if (latest && !all.isEmpty()) {
            Deployment newest = all.getFirst();
            if (!call.machine(newest)) {
                call.out(DeploymentView.summary(newest, call.isVerbose()));
                call.section("Deployed", DeploymentView.groups(newest, call.zone()));
            }
            return 0;
        }
        return DeploymentVerbs.list(call, all);
    }

    private static int promote(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        JobStub found = JobVerbs.find(call, call.argument(0));
        CleatClient client = call.clientIn(found.Namespace());
        Optional<Deployment> newest = client.jobs().deployment(found.ID(), Params.none());
        if (newest.isEmpty()) {
            throw new Failure("job \"%s\" has no deployment".formatted(found.ID()));
        }
        return DeploymentVerbs.promote(call, client, newest.get().ID());
    }
}
