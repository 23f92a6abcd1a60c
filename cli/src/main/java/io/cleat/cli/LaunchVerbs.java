package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.Job;
import io.cleat.api.JobDispatchResponse;
import io.cleat.api.JobStub;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import io.cleat.model.PayloadRule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Children of jobs that are run when somebody asks for one. */
final class LaunchVerbs {
    private static final Flag META =
            Flag.repeated("meta", "key=value", "An entry of the copy's meta; may be repeated.");

    private LaunchVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("job dispatch", "Run a copy of a parameterized job")
                        .takes(1, 2, "<job> [<file>]")
                        .about("Runs a copy of a job that has a parameterized block, and watches it"
                                + " being placed. The file (- is standard input) is sent"
                                + " along, at most 16 KiB; a task finds it where its"
                                + " dispatch_payload block says.")
                        .flags(
                                META,
                                Flag.value(
                                        "priority", "number", "The copy's priority, 1 to 100; the job's by default."),
                                Flag.DETACH,
                                Flag.VERBOSE)
                        .examples(
                                "cleat job dispatch restore",
                                "cleat job dispatch -meta volume=data restore request.json")
                        .does(LaunchVerbs::dispatch),
                Verb.named("job periodic force", "Run a copy of a periodic job now")
                        .takes(1, 1, "<job>")
                        .about("Runs a copy of a job that has a periodic block now, and watches it"
                                + " being placed. Its times stay as they are.")
                        .flags(Flag.DETACH, Flag.VERBOSE)
                        .examples("cleat job periodic force backup")
                        .does(LaunchVerbs::force));
    }

    private static int dispatch(Call call)
            throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException, IOException {
        byte[] payload = call.arguments().size() == 2 ? payload(call) : new byte[0];
        JobStub found = JobVerbs.find(call, call.argument(0));
        CleatClient client = call.clientIn(found.Namespace());
        JobDispatchResponse done = client.jobs()
                .dispatch(
                        found.ID(),
                        payload,
                        call.flags().pairs(META.name()),
                        (int) call.flags().number("priority", 100),
                        Params.none())
                .body();
        call.out(new Rows()
                .put("Dispatched Job ID", done.DispatchedJobID())
                .put("Evaluation ID", call.id(done.EvalID()))
                .text());
        if (call.flags().has(Flag.DETACH)) {
            return 0;
        }
        call.out("");
        return new Monitor(call, client).watch(done.EvalID());
    }

    private static byte[] payload(Call call) throws IOException, Failure {
        String name = call.argument(1);
        byte[] all;
        if (name.equals("-")) {
            all = call.environment().terminal().readAll();
        } else {
            Path file = call.environment().directory().resolve(name);
            try (InputStream in = Files.newInputStream(file)) {
                all = in.readNBytes(PayloadRule.MOST_BYTES + 1);
            }
        }
        if (all.length > PayloadRule.MOST_BYTES) {
            throw new Failure("%s has more than %d bytes, which are the most that can be sent along; put it in a"
                            .formatted(name, PayloadRule.MOST_BYTES)
                    + " volume, or where an artifact block fetches it");
        }
        return all;
    }

    private static int force(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        JobStub found = JobVerbs.find(call, call.argument(0));
        CleatClient client = call.clientIn(found.Namespace());
        String evaluation =
                client.jobs().forcePeriodic(found.ID(), Params.none()).body().EvalID();
        if (call.flags().has(Flag.DETACH)) {
            call.out("Force periodic successful");
            call.out("Evaluation ID: " + call.id(evaluation));
            return 0;
        }
        return new Monitor(call, client).watch(evaluation);
    }

    /** What {@code job status} shows of a job that has copies run, instead of its allocations. */
    static void status(Call call, CleatClient client, Job job) throws Failure, UnexpectedAnswer, LinkTrouble {
        boolean isPeriodic = job.Periodic() != null;
        if (job.ParameterizedJob() != null) {
            call.section("Parameterized Job", LaunchView.parameters(job.ParameterizedJob()));
        }
        call.section(
                isPeriodic ? "Children Job Summary" : "Parameterized Job Summary",
                LaunchView.children(
                        client.jobs().summary(job.ID(), Params.none()).body().Children()));
        List<JobStub> copies = client.jobs().list(Params.none().prefix(job.ID() + "/")).body().stream()
                .filter(one -> one.ParentID().equals(job.ID()))
                .toList();
        if (copies.isEmpty()) {
            call.out("");
            call.out(
                    isPeriodic
                            ? "No instances of periodic job found"
                            : "No dispatched instances of parameterized job found");
            return;
        }
        call.section(isPeriodic ? "Previously Launched Jobs" : "Dispatched Jobs", LaunchView.copies(copies));
    }
}
