package io.cleat.api;

import io.cleat.base.TextRule;
import io.cleat.model.OnUpdate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Rules of the checks of one service. */
final class CheckRules {
    private static final int MOST_CHECKS = 20;
    private static final int MOST_FIELDS = 50;
    private static final int MOST_ARGS = 100;
    private static final int LONGEST = 4096;
    private static final int LARGEST_BODY = 16 * 1024;
    private static final long SHORTEST = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_TIMEOUT = Duration.ofMinutes(10).toNanos();

    /** A token of RFC 9110, section 5.6.2. */
    private static final Pattern TOKEN = Pattern.compile("[-!#$%&'*+.^_`|~0-9A-Za-z]+");

    /** What belongs to the connection, and is not a job's to say. */
    private static final Set<String> OF_CONNECTION =
            Set.of("connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer");

    private final Service service;
    private final String task;
    private final Set<String> tasks;
    private final ServiceRules places;
    private final Set<String> names = new HashSet<>();

    /**
     * @param task whose the service is; empty for the group's
     * @param tasks of the group
     */
    CheckRules(Service service, String task, Set<String> tasks, ServiceRules places) {
        this.service = service;
        this.task = task;
        this.tasks = tasks;
        this.places = places;
    }

    void check(Faults faults) {
        List<ServiceCheck> checks = JobConversion.listOf(service.Checks());
        faults.addIf(checks.size() > MOST_CHECKS, "it has " + checks.size() + " checks; the most is " + MOST_CHECKS);
        for (ServiceCheck check : checks) {
            faults.nest("check " + check.Name() + " invalid", one(check));
        }
    }

    private Faults one(ServiceCheck check) {
        Faults faults = new Faults();
        ServiceRules.line("name", check.Name(), 255, faults);
        faults.addIf(!names.add(check.Name()), "another check of the service has this name too; give each its own");
        switch (check.Type()) {
            case ServiceBlocks.TCP -> {}
            case ServiceBlocks.HTTP -> http(check, faults);
            case ServiceBlocks.SCRIPT -> script(check, faults);
            case "grpc" ->
                faults.add("type \"grpc\" is not supported by this version of Cleat; use tcp, http or script");
            default -> faults.add("type must be tcp, http or script; got " + TextRule.quoted(check.Type()));
        }
        foreign(check, faults);
        times(check, faults);
        place(check, faults);
        task(check, faults);
        ServiceRules.onUpdate(check.OnUpdate(), faults);
        restart(check, faults);
        return faults;
    }

    private static void http(ServiceCheck check, Faults faults) {
        faults.addIf(check.Path().isEmpty(), "http type must have path, such as \"/health\"");
        faults.addIf(
                !check.Path().isEmpty() && !check.Path().startsWith("/"),
                "path " + TextRule.quoted(check.Path()) + " must begin with a slash");
        ServiceRules.line("path", check.Path(), LONGEST, faults);
        faults.addIf(
                check.Path().chars().anyMatch(c -> c <= ' ' || c > '~'),
                "path " + TextRule.quoted(check.Path()) + " has a character that must be percent-encoded, such as %20");
        faults.addIf(
                !Set.of("", ServiceBlocks.HTTP, ServiceBlocks.HTTPS).contains(check.Protocol()),
                "protocol must be http or https; got " + TextRule.quoted(check.Protocol()));
        faults.addIf(
                !check.Method().isEmpty()
                        && !(TOKEN.matcher(check.Method()).matches()
                                && check.Method().length() <= 32),
                "method " + TextRule.quoted(check.Method()) + " is no method of HTTP");
        int bytes = check.Body().getBytes(StandardCharsets.UTF_8).length;
        faults.addIf(bytes > LARGEST_BODY, "body has " + bytes + " bytes; at most " + LARGEST_BODY + " are allowed");
        headers(JobConversion.mapOf(check.Header()), faults);
    }

    private static void headers(Map<String, List<String>> headers, Faults faults) {
        faults.addIf(headers.size() > MOST_FIELDS, "it has " + headers.size() + " headers; the most is " + MOST_FIELDS);
        headers.forEach((name, values) -> {
            faults.addIf(
                    !TOKEN.matcher(name).matches() || name.length() > 255,
                    "header " + TextRule.quoted(name) + " is no name of a header");
            faults.addIf(
                    OF_CONNECTION.contains(name.toLowerCase(java.util.Locale.ROOT)),
                    "header " + TextRule.quoted(name) + " belongs to the connection; remove it");
            faults.addIf(values.size() > MOST_FIELDS, "header " + TextRule.quoted(name) + " has too many values");
            values.forEach(value -> ServiceRules.line("header", value, LONGEST, faults));
        });
    }

    private void script(ServiceCheck check, Faults faults) {
        faults.addIf(check.Command().isEmpty(), "script type must have command");
        ServiceRules.line("command", check.Command(), LONGEST, faults);
        List<String> args = JobConversion.listOf(check.Args());
        faults.addIf(args.size() > MOST_ARGS, "it has " + args.size() + " args; the most is " + MOST_ARGS);
        int bytes = args.stream()
                .mapToInt(arg -> arg.getBytes(StandardCharsets.UTF_8).length)
                .sum();
        faults.addIf(bytes > LARGEST_BODY, "args have " + bytes + " bytes; at most " + LARGEST_BODY + " are allowed");
        faults.addIf(args.stream().anyMatch(arg -> arg.indexOf('\0') >= 0), "args hold a null byte");
        faults.addIf(
                runsIn(check).isEmpty(), "a script of a service of the group must say in which task it runs: set task");
    }

    private String runsIn(ServiceCheck check) {
        return Canonical.orElse(check.TaskName(), service.TaskName());
    }

    private void task(ServiceCheck check, Faults faults) {
        String named = check.TaskName();
        faults.addIf(
                !named.isEmpty() && !tasks.contains(named),
                "task " + TextRule.quoted(named) + " is not one of the group's tasks");
        faults.addIf(
                !named.isEmpty() && !task.isEmpty() && !named.equals(task),
                "task "
                        + TextRule.quoted(named)
                        + " is not the task whose service this is; move the service to the group");
    }

    /** What is for another type, or for Consul. */
    private static void foreign(ServiceCheck check, Faults faults) {
        boolean isHttp = check.Type().equals(ServiceBlocks.HTTP);
        boolean isScript = check.Type().equals(ServiceBlocks.SCRIPT);
        only("http", "path", !isHttp && !check.Path().isEmpty(), faults);
        only("http", "method", !isHttp && !check.Method().isEmpty(), faults);
        only("http", "protocol", !isHttp && !check.Protocol().isEmpty(), faults);
        only("http", "body", !isHttp && !check.Body().isEmpty(), faults);
        only("http", "header", !isHttp && !JobConversion.mapOf(check.Header()).isEmpty(), faults);
        only("http", "tls_skip_verify", !isHttp && check.TLSSkipVerify(), faults);
        only("script", "command", !isScript && !check.Command().isEmpty(), faults);
        only("script", "args", !isScript && !JobConversion.listOf(check.Args()).isEmpty(), faults);
        ServiceBlocks.CHECK.check(check, faults);
    }

    private static void only(String type, String what, boolean isWrong, Faults faults) {
        faults.addIf(isWrong, what + " is for checks of type \"" + type + "\"; remove it");
    }

    private static void times(ServiceCheck check, Faults faults) {
        time("interval", Canonical.or(check.Interval(), 0L), faults);
        long timeout = Canonical.or(check.Timeout(), 0L);
        time("timeout", timeout, faults);
        faults.addIf(
                timeout > LONGEST_TIMEOUT, "timeout (" + Duration.ofNanos(timeout) + ") cannot be longer than 10m");
    }

    private static void time(String what, long given, Faults faults) {
        if (given == 0) {
            faults.add(what + " is required, such as " + what + " = \"10s\"");
        } else {
            faults.addIf(given < SHORTEST, what + " (" + Duration.ofNanos(given) + ") cannot be lower than 1s");
        }
    }

    private void place(ServiceCheck check, Faults faults) {
        if (check.Type().equals(ServiceBlocks.SCRIPT)) {
            faults.addIf(
                    !check.PortLabel().isEmpty() || !check.AddressMode().isEmpty(),
                    "port and address_mode are not for checks of type \"script\"; remove them");
            return;
        }
        if (!check.AddressMode().isEmpty()) {
            places.mode(check.AddressMode(), service.TaskName(), faults);
        }
        places.port(check.PortLabel(), faults);
        faults.addIf(
                check.PortLabel().isEmpty() && service.PortLabel().isEmpty(),
                check.Type() + " checks need a port: set port in the service, or in the check");
    }

    private void restart(ServiceCheck check, Faults faults) {
        CheckRestart restart = check.CheckRestart();
        if (restart == null) {
            return;
        }
        faults.addIf(restart.Limit() < 0, "check_restart limit cannot be less than zero");
        faults.addIf(Canonical.or(restart.Grace(), 0L) < 0, "check_restart grace cannot be less than zero");
        faults.addIf(
                check.OnUpdate().equals(OnUpdate.IGNORE.wire()),
                "on_update value \"ignore\" is not compatible with check_restart; remove one of them");
        faults.addIf(
                check.OnUpdate().equals(OnUpdate.IGNORE_WARNINGS.wire()) && !restart.IgnoreWarnings(),
                "on_update value \"ignore_warnings\" needs check_restart ignore_warnings = true");
    }
}
