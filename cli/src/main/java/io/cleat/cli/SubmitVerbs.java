package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.CsiVolumeResponse;
import io.cleat.api.HostVolume;
import io.cleat.api.Job;
import io.cleat.api.JobPlanRequest;
import io.cleat.api.JobPlanResponse;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.JobRegisterResponse;
import io.cleat.api.JobValidateRequest;
import io.cleat.api.JobValidateResponse;
import io.cleat.api.Params;
import io.cleat.api.PeriodicConfig;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The verbs that read a file and submit it. */
final class SubmitVerbs {
    private SubmitVerbs() {}

    static List<Verb> jobs() {
        return List.of(
                Verb.named("job run", "Submit a job, and watch it being placed")
                        .takes(1, 1, "<file>")
                        .about("Submits the job of a file, HCL or JSON (- is standard input), and"
                                + " watches its evaluation, and its deployment if it makes one."
                                + " Returns 2 when not everything could be placed: what is"
                                + " missing is placed once there is room; 1 when the"
                                + " deployment failed.")
                        .flags(
                                Flag.value(
                                        "check-index",
                                        "number",
                                        "Only if the stored job's index is this one; 0: only if there is none."),
                                Flag.DETACH,
                                Flag.value(
                                        "eval-priority",
                                        "number",
                                        "The evaluation's priority, 1 to 100; the job's by default."),
                                Flag.yes("preserve-counts", "Keep the stored job's counts."),
                                Flag.yes("output", "Print the job as JSON; submit nothing."),
                                Flag.yes("json", "The file is JSON; this is seen without the flag."),
                                SpecFile.VARIABLE,
                                SpecFile.VARIABLE_FILE,
                                Flag.VERBOSE)
                        .examples("cleat job run web.nomad.hcl", "cleat job run -var=count=3 -detach web.nomad.hcl")
                        .does(SubmitVerbs::run),
                Verb.named("job plan", "Say what submitting a job would do")
                        .takes(1, 1, "<file>")
                        .about("Compares the job of a file with the stored one and asks the scheduler"
                                + " what it would do. Nothing is changed. Returns 0 when"
                                + " nothing would change, 1 when something would, 255 on"
                                + " failure.")
                        .flags(
                                Flag.value("diff", "true|false", "Whether to show the difference; true."),
                                Flag.yes("json", "The file is JSON; this is seen without the flag."),
                                SpecFile.VARIABLE,
                                SpecFile.VARIABLE_FILE,
                                Flag.VERBOSE)
                        .examples("cleat job plan web.nomad.hcl")
                        .failsWith(ExitCodes.PLAN_FAILED)
                        .does(SubmitVerbs::plan),
                Verb.named("job validate", "Check a job file")
                        .takes(1, 1, "<file>")
                        .about("Reads the job of a file and has the cluster check it. All faults are"
                                + " shown at once; nothing is changed.")
                        .flags(
                                Flag.yes("json", "The file is JSON; this is seen without the flag."),
                                SpecFile.VARIABLE,
                                SpecFile.VARIABLE_FILE)
                        .examples("cleat job validate web.nomad.hcl")
                        .does(SubmitVerbs::validate));
    }

    static List<Verb> volumes() {
        return List.of(
                Verb.named("volume create", "Have a plugin or a node make a volume")
                        .takes(1, 1, "<file>")
                        .about("Has the plugin of a volume file (HCL or JSON; - is standard input) make"
                                + " the storage, and registers it. Repeating it with the same"
                                + " file changes nothing. Says what it waits for; the plugin"
                                + " goes on though nobody waits.\n\n"
                                + "A file of type host has a node make a host volume; with its id it changes one.")
                        .flags(CallWait.DETACH, SpecFile.VARIABLE, SpecFile.VARIABLE_FILE)
                        .examples("cleat volume create data.volume.hcl", "cleat volume create host.volume.hcl")
                        .does(call -> submitVolume(call, true)),
                Verb.named("volume register", "Register a volume that exists at its plugin")
                        .takes(1, 1, "<file>")
                        .about("Registers the volume of a file (HCL or JSON; - is standard input) that"
                                + " exists at its plugin already, or changes a registered one. A"
                                + " file of type host registers a directory of a node, named by"
                                + " node_id and host_path.")
                        .flags(SpecFile.VARIABLE, SpecFile.VARIABLE_FILE)
                        .examples("cleat volume register data.volume.hcl")
                        .does(call -> submitVolume(call, false)));
    }

    private static int run(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException, InterruptedException {
        SpecFile.Submitted submitted = SpecFile.submitted(call);
        Job job = submitted.job();
        if (call.flags().has("output")) {
            call.json(Map.of("Job", job));
            return 0;
        }
        Optional<String> index = call.flags().value("check-index");
        JobRegisterRequest request = new JobRegisterRequest(
                index.isPresent(),
                (int) call.flags().number("eval-priority", 100),
                job,
                call.flags().number("check-index", Long.MAX_VALUE),
                "",
                false,
                call.flags().has("preserve-counts"),
                false,
                "",
                submitted.text());
        CleatClient client = client(call, job);
        JobRegisterResponse registered =
                client.jobs().register(request, Params.none()).body();
        warn(call, registered.Warnings());
        if (call.flags().has(Flag.DETACH) || registered.EvalID().isEmpty()) {
            call.out("Job registration successful");
            if (!registered.EvalID().isEmpty()) {
                call.out("Evaluation ID: " + registered.EvalID());
            }
            PeriodicConfig periodic = job.Periodic();
            if (periodic != null) {
                call.out("Approximate next launch time: " + LaunchView.next(periodic, call.now(), call.zone()));
            }
            return 0;
        }
        return new Monitor(call, client).watchDeployed(registered.EvalID());
    }

    private static int plan(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        String diff = call.flags().value("diff").orElse("true");
        if (!diff.equals("true") && !diff.equals("false")) {
            throw new Failure("flag -diff takes true or false, got \"" + diff + "\"");
        }
        Job job = SpecFile.job(call);
        JobPlanResponse plan = client(call, job)
                .jobs()
                .plan(new JobPlanRequest(diff.equals("true"), job, false), Params.none())
                .body();
        if (plan.Diff() != null) {
            call.out(DiffView.of(plan.Diff(), call.isVerbose()));
            call.out("");
        }
        call.out(PlanView.dryRun(plan));
        PeriodicConfig periodic = job.Periodic();
        if (periodic != null) {
            call.out("- If submitted now, next periodic launch would be at "
                    + LaunchView.next(periodic, call.now(), call.zone())
                    + ".");
        }
        call.out("");
        call.out(PlanView.submission(plan, call.argument(0)));
        return PlanView.isChange(plan) ? ExitCodes.CHANGES : 0;
    }

    private static int validate(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        Job job = SpecFile.job(call);
        JobValidateResponse answer = client(call, job).jobs().validate(new JobValidateRequest(job), Params.none());
        warn(call, answer.Warnings());
        List<String> faults = answer.ValidationErrors() == null ? List.of() : answer.ValidationErrors();
        if (!faults.isEmpty() || !answer.Error().isEmpty()) {
            call.say("Job validation errors:");
            if (faults.isEmpty()) {
                call.say(answer.Error());
            }
            faults.forEach(fault -> call.say("  * " + fault));
            return 1;
        }
        call.out("Job validation successful");
        return 0;
    }

    private static int submitVolume(Call call, boolean create)
            throws Failure, UnexpectedAnswer, LinkTrouble, IOException, InterruptedException {
        return switch (SpecFile.anyVolume(call)) {
            case SpecFile.Volume.OfPlugin(CsiVolume volume) -> submitVolume(call, volume, create);
            case SpecFile.Volume.OfHost(HostVolume volume) -> HostVolumeVerbs.submit(call, volume, create);
        };
    }

    private static int submitVolume(Call call, CsiVolume volume, boolean create)
            throws Failure, UnexpectedAnswer, LinkTrouble, IOException, InterruptedException {
        CsiVolumeRequest request = new CsiVolumeRequest("", false, "", List.of(volume));
        CleatClient client = call.client();
        Optional<CsiVolumeResponse> ended = CallWait.of(
                call,
                client,
                volume.ID(),
                () -> create
                        ? client.volumes().create(request, Params.none()).body()
                        : client.volumes().register(request, Params.none()).body());
        if (ended.isEmpty()) {
            return 0;
        }
        CsiVolumeResponse answer = ended.get();
        warn(call, answer.Warnings());
        for (CsiVolume one : answer.Volumes()) {
            call.out(
                    create
                            ? "Created external volume %s with ID %s".formatted(one.ExternalID(), one.ID())
                            : "Volume \"%s\" registered".formatted(one.ID()));
        }
        return 0;
    }

    /** The cluster, asked about the job's own namespace. */
    private static CleatClient client(Call call, Job job) throws Failure {
        return job.Namespace() == null || job.Namespace().isEmpty() ? call.client() : call.clientIn(job.Namespace());
    }

    private static void warn(Call call, String warnings) {
        if (!warnings.isEmpty()) {
            call.say("Warnings:\n" + warnings);
        }
    }
}
