package io.cleat.api;

import io.cleat.base.TextRule;
import io.cleat.model.CronTimes;
import io.cleat.model.NameRule;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules of what has a job run at some times, or when somebody asks for it. */
final class LaunchRules {
    /** What the id of a copy has behind that of its job, in bytes. */
    private static final int COPY_BYTES = 40;

    /** How many crons one job may have. */
    private static final int MOST_CRONS = 32;

    private LaunchRules() {}

    static void check(Job job, Faults faults) {
        PeriodicConfig periodic = job.Periodic();
        ParameterizedJobConfig parameters = job.ParameterizedJob();
        List<Task> tasks = JobConversion.listOf(job.TaskGroups()).stream()
                .flatMap(group -> JobConversion.listOf(group.Tasks()).stream())
                .toList();
        faults.addIf(
                parameters == null && tasks.stream().anyMatch(task -> task.DispatchPayload() != null),
                "dispatch_payload is given, and the job has no parameterized block: nothing would be sent along");
        if (periodic == null && parameters == null) {
            return;
        }
        faults.addIf(
                periodic != null && parameters != null,
                "periodic and parameterized are both given: remove one of them");
        batch(job, periodic != null ? "Periodic" : "Parameterized job", faults);
        faults.addIf(
                job.ID().getBytes(StandardCharsets.UTF_8).length > NameRule.ID_BYTES - COPY_BYTES,
                "Job ID is too long for a job that has copies run: at most "
                        + (NameRule.ID_BYTES - COPY_BYTES)
                        + " bytes are possible");
        tasks.stream()
                .filter(task -> task.CSIPluginConfig() != null)
                .forEach(task -> faults.add("task "
                        + TextRule.quoted(task.Name())
                        + " is a storage plugin, which has to run all the time: run it in a job of its own"));
        if (periodic != null) {
            faults.nest("Periodic validation failed", periodic(periodic));
        }
        if (parameters != null) {
            faults.nest("Parameterized job validation failed", parameters(parameters));
        }
    }

    private static void batch(Job job, String what, Faults faults) {
        faults.addIf(
                !PolicyDefaults.isBatch(Canonical.or(job.Type(), "")),
                what + " can only be used with \"batch\" or \"sysbatch\" scheduler: set type = \"batch\"");
    }

    private static Faults periodic(PeriodicConfig periodic) {
        Faults faults = new Faults();
        LaunchBlocks.PERIODIC.check(periodic, faults);
        String one = Canonical.orElse(periodic.Spec(), "");
        List<String> several = JobConversion.listOf(periodic.Specs());
        faults.addIf(one.isEmpty() && several.isEmpty(), "Must specify a spec: set cron, such as cron = \"0 3 * * *\"");
        faults.addIf(!one.isEmpty() && !several.isEmpty(), "Only cron or crons may be used, not both");
        faults.addIf(
                several.size() > MOST_CRONS,
                several.size() + " crons are given; at most " + MOST_CRONS + " are possible");
        if (!one.isEmpty()) {
            cron(one, faults);
        }
        several.stream().limit(MOST_CRONS).forEach(cron -> cron(cron, faults));
        zone(periodic.TimeZone(), faults);
        return faults;
    }

    private static void cron(String text, Faults faults) {
        String quoted = "Invalid cron spec " + TextRule.quoted(text) + ": ";
        try {
            faults.addIf(
                    CronTimes.parse(text).after(Instant.EPOCH, ZoneOffset.UTC).isEmpty(),
                    quoted + "there is no such day");
        } catch (IllegalArgumentException wrong) {
            faults.add(quoted + wrong.getMessage());
        }
    }

    private static void zone(@Nullable String given, Faults faults) {
        String zone = Canonical.orElse(given, "UTC");
        faults.addIf(
                !ZoneId.getAvailableZoneIds().contains(zone),
                "Invalid time zone "
                        + TextRule.quoted(zone)
                        + ": expected a name of the time zone database, such as \"Europe/Berlin\"");
    }

    private static Faults parameters(ParameterizedJobConfig parameters) {
        Faults faults = new Faults();
        LaunchBlocks.PARAMETERIZED.check(parameters, faults);
        List<String> required = JobConversion.listOf(parameters.MetaRequired());
        List<String> both = JobConversion.listOf(parameters.MetaOptional()).stream()
                .filter(required::contains)
                .sorted()
                .toList();
        faults.addIf(
                !both.isEmpty(),
                "Required and optional meta keys should be disjoint. Following keys exist in both: " + both);
        return faults;
    }

    /** What is wrong with where a task wants what was sent along. */
    static void payloadFile(Task task, Faults faults) {
        DispatchPayloadConfig payload = task.DispatchPayload();
        if (payload == null) {
            return;
        }
        TaskBlocks.DISPATCH_PAYLOAD.check(payload, faults);
        faults.addIf(
                payload.File().startsWith("/")
                        || List.of(payload.File().split("/", -1)).contains("..")
                        || payload.File().indexOf('\0') >= 0,
                "dispatch payload file "
                        + TextRule.quoted(payload.File())
                        + " escapes the task's local directory; give a path below it, such as \"input.json\"");
    }
}
