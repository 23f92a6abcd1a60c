package io.cleat.fuzz.targets;

import io.cleat.api.Job;
import io.cleat.fuzz.Target;
import io.cleat.jobspec.JobFile;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Job files, with a file of variables behind a line of dashes, and the variable {@code v} from the environment behind
 * another.
 */
final class JobHcl implements Target {
    private static final String LINE = "\n----\n";

    @Override
    public String name() {
        return "job-hcl";
    }

    @Override
    public String about() {
        return "job files and their variables, and what is made of the job";
    }

    @Override
    public List<byte[]> samples() throws Exception {
        List<byte[]> samples = new ArrayList<>(Samples.files("examples", ".nomad.hcl"));
        samples.add(Samples.bytes(everything()));
        return samples;
    }

    private static String everything() {
        return """
        variable "v" {
          type    = map(object({ a = list(number), b = optional(string, "x") }))
          default = {}
        }
        variable "n" {
          type = number
          validation {
            condition     = var.n > 0 && can(regex("^[0-9]+$", "${var.n}"))
            error_message = "no"
          }
        }
        locals {
          l = [for i in range(3) : i * var.n if i != 1]
          m = { for k, x in { a = 1, b = 2 } : upper(k) => x... }
          s = format("%5.2f %s %q %v", 1.5, "a", "b", [1])
          t = setproduct(range(2), ["a", "b"])
          j = jsondecode(jsonencode({ a = [1, "x", null, true] }))
        }
        job "j" {
          type        = "batch"
          datacenters = ["dc${var.n}"]
          meta {
            a = "%{ for x in local.l }${x}%{ if x > 1 } y%{ endif }%{ endfor }"
            b = try(local.m.A[0], "c")
            c = join(",", sort(keys({ a = 1 })))
            d = replace(local.s, "/[a-z]+/", "x")
            e = substr(base64encode(local.s), 0, -1)
          }
          dynamic "group" {
            for_each = toset(["g", "h"])
            labels   = [group.key]
            content {
              task "t" {
                driver = "raw_exec"
                config {
                  command = "/bin/sh"
                  args    = flatten([["-c"], [["true"]]])
                }
                template {
                  data        = <<-EOT
                    a ${var.n}
                    {{ env "A" }}
                  EOT
                  destination = "local/a"
                }
              }
            }
          }
        }
        """ + "----\nn = 3\n----\n{\"a\":{\"a\":[1]}}";
    }

    @Override
    public List<String> words() {
        return List.of(
                "range(1000)",
                "setproduct(range(99),range(99),range(99))",
                "format(\"%.999999999f\", 1)",
                "regex(\"(a*)*b\", \"aaaa\")",
                "[for x in range(999) : x]",
                "${",
                "%{ for x in [1] }",
                "%{ endfor }",
                "<<EOT\n",
                "dynamic \"group\" {",
                "null",
                "\"\\ud800\"",
                "\"\\U00110000\"",
                "yamldecode(\"a: &a [*a]\")",
                "strrev(",
                "repeat",
                "cidrsubnet(\"10.0.0.0/8\", 99, 1)",
                "timeadd(\"2026-01-01T00:00:00Z\", \"99999999999h\")",
                "parseint(\"zz\", 36)",
                "pow(10, 99999)",
                "1e99999",
                "substr(\"a\", -1, 99)",
                "chunklist([1], 0)");
    }

    @Override
    public void run(byte[] input) throws Exception {
        String[] parts = Samples.text(input).split(LINE, 3);
        Variables variables = Variables.none().withFlag("n", "3");
        if (parts.length > 1) {
            variables = variables.withFile(Source.of("values", parts[1]));
        }
        if (parts.length > 2) {
            variables = variables.withEnvironment(Map.of("NOMAD_VAR_v", parts[2]));
        }
        switch (JobFile.parse(Source.of("fuzz", parts[0]), variables, RuntimeValues.real())) {
            case Parsed.Good<Job>(Job job) -> JobRoundTrip.go(job);
            case Parsed.Bad<Job> bad -> {
                if (bad.lines().isEmpty()) {
                    throw new AssertionError("a bad file has no fault");
                }
            }
        }
    }
}
