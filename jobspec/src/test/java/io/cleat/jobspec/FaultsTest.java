package io.cleat.jobspec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Job;
import io.cleat.jobspec.hcl.FaultText;
import io.cleat.jobspec.hcl.FixedRuntime;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a wrong job file shows. */
final class FaultsTest {
    @Test
    void allFaultsComeAtOnceEachWithItsPlace() {
        String file = """
                job "x" {
                  prioritty = 3
                  type = "servise"
                  group "g" {
                    count = "many"
                    task "t" {
                      driver = "raw_exec"
                      config {
                        args = [1, 2
                      }
                      kill_timeout = "5 minutes"
                      env { A = var.missing }
                      meta { b = uper("x") }
                    }
                    task "t" {
                      driver = "raw_exec"
                    }
                  }
                  group "empty" {}
                }
                """;
        assertEquals("""
                Error: Unsupported argument
                  on job.hcl line 2, columns 3-11:
                  2 |   prioritty = 3
                    |   ^^^^^^^^^
                An argument named "prioritty" is not expected here. Did you mean "priority"?

                Error: Invalid value for "type"
                  on job.hcl line 3, columns 10-18:
                  3 |   type = "servise"
                    |          ^^^^^^^^^
                Expected one of service, batch, system, sysbatch; given "servise". Did you mean "service"?

                Error: Invalid value for "count"
                  on job.hcl line 5, columns 13-18:
                  5 |     count = "many"
                    |             ^^^^^^
                Expected a number, given a string.

                Error: Invalid expression
                  on job.hcl line 10, column 7:
                  10 |       }
                     |       ^
                Expected a comma or "]" behind an element of the list, found "}".

                Error: Invalid value for "kill_timeout"
                  on job.hcl line 11, columns 22-32:
                  11 |       kill_timeout = "5 minutes"
                     |                      ^^^^^^^^^^^
                Expected a duration such as "30s" or "1h30m", given "5 minutes".

                Error: Unknown variable
                  on job.hcl line 12, columns 21-27:
                  12 |       env { A = var.missing }
                     |                     ^^^^^^^
                There is no variable "missing" in this file.

                Error: Unknown function
                  on job.hcl line 13, columns 18-21:
                  13 |       meta { b = uper("x") }
                     |                  ^^^^
                There is no function "uper". Did you mean "upper"?

                Error: Duplicate block
                  on job.hcl line 15, columns 10-12:
                  15 |     task "t" {
                     |          ^^^
                task "t" was already given at job.hcl:6,10; it can be there once.

                Error: Missing block
                  on job.hcl line 19, columns 3-7:
                  19 |   group "empty" {}
                     |   ^^^^^
                A group has a block "task"; there is none here.
                """, rendered(file));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a = 1 +|1,8-8|Invalid expression; Expected a value, found the end of the file.",
                "a = \"x|1,5-7|Unterminated string; The closing quote is missing. Text of several lines is written as "
                        + "a heredoc (<<EOF).",
                "a = <<EOF|1,5-10|Unterminated heredoc; There is no line that says only EOF.",
                "a = 1 b = 2|1,7-8|New line expected; Expected a new line behind a value, found b.",
                "a : 1|1,3-4|Invalid attribute; Expected \"=\" behind \"a\", found \":\".",
                "a = \"\\q\"|1,6-8|Invalid escape; A backslash stands before n, r, t, \", \\, uNNNN or UNNNNNNNN; a "
                        + "backslash itself is written \\\\.",
                "}|1,1-2|Unexpected brace; There is no block that this \"}\" closes.",
                "a {|1,3-4|Unclosed block; The file ends before the \"}\" that closes this block.",
                "job \"${x}\" {}|1,5-11|Invalid label; A label or name is plain text, without ${...} in it; a dynamic "
                        + "block can compute labels.",
                "a = \"%{ if true }\"|1,9-16|Unclosed directive; Expected %{endif} behind %{if}, found the end.",
                "a = \"%{ endif }\"|1,9-14|Unexpected directive; There is no if that this endif ends.",
                "locals { a = local.b }|1,20-21|Unknown local; There is no local \"b\" in this file. Did you mean "
                        + "local.a?",
                "locals { a = local.a }|1,14-21|Circular reference; local.a -> local.a.",
                "locals { a = [1][3] }|1,18-19|Invalid index; The list has 1 elements, counted from 0; given 3.",
                "locals { a = { b = 1 }.c }|1,24-25|No such attribute; The object has no \"c\". Did you mean \"b\"?",
                "locals { a = 1 / 0 }|1,14-19|Invalid operand; Division by zero.",
                "locals { a = -[] }|1,15-17|Invalid operand; Expected a number, given a list.",
                "locals { a = \"x${[1]}y\" }|1,18-21|Invalid template; Expected a string, given a list.",
                "locals { a = \"x${vars.b}\" }|1,18-22|Unknown variable; There is no \"vars\" here; text is written "
                        + "in quotes. Did you mean \"var\"?",
                "locals { a = foo }|1,14-17|Unknown variable; There is no \"foo\" here; text is written in quotes.",
                "locals { a = { for x in [1, 1] : x => x } }|1,34-35|Duplicate key; Two elements have the key \"1\"; "
                        + "write ... behind the value to group them.",
                "locals { a = { b = 1, b = 2 } }|1,23-24|Duplicate key; \"b\" was already set at f.hcl:1,16.",
                "locals { a = upper() }|1,14-21|Invalid call of upper; Expected upper(text), given 0 arguments.",
                "locals { a = split(1, []) }|1,14-26|Invalid call of split; Argument 2: Expected a string, given a "
                        + "list.",
                "locals { a = file(\"x\") }|1,14-23|Invalid call of file; Files can only be named in a file that is "
                        + "read from disk, not in a text that was sent.",
                "locals { a = format(\"%d\", 1.5) }|1,14-31|Invalid call of format; Argument 2: expected a whole "
                        + "number, given 1.5.",
                "locals { a = jsondecode(\"[1\") }|1,14-30|Invalid call of jsondecode; The text is not JSON: "
                        + "Unexpected end-of-input: expected close marker for Array.",
                "variable \"n\" {}|1,10-13|No value for variable; The variable \"n\" has no default; give it one with "
                        + "-var n=VALUE, -var-file or NOMAD_VAR_n.",
                "variable \"n\" { type = strin }|1,23-28|Invalid type; There is no type \"strin\". Did you mean "
                        + "\"string\"?",
                "job \"x\" { consul {} }|1,11-17|Not supported yet; This version of Cleat does not support \"consul\" "
                        + "in a job; take it out.",
                "job \"x\" { group = {} }|1,11-16|Unsupported argument; \"group\" is a block; write group {...} "
                        + "without \"=\".",
                "job \"x\" { type {} }|1,11-15|Unsupported block type; \"type\" is an argument; write type = ...",
                "job {}|1,1-4|Missing name; Expected job \"NAME\" {...}.",
                "job \"x\" \"y\" {}|1,9-12|Extraneous label; A job has one label, its name.",
                "dynamic \"group\" { foreach = [] }|1,19-26|Unsupported argument; An argument named \"foreach\" is "
                        + "not expected in a dynamic block; what the blocks hold stands in content {...}. Did you "
                        + "mean \"for_each\"?",
            })
    void eachFaultSaysWhatWasGivenAndExpected(String file, String place, String text) {
        String lines = lines(file, Variables.none());
        assertTrue(List.of(lines.split("\n", -1)).contains("f.hcl:" + place + ": " + text), () -> "given:\n" + lines);
    }

    @Test
    void valuesOfVariablesAreCheckedWhereTheyAreGiven() {
        String file = """
                variable "n" {
                  type = list(number)
                  validation {
                    condition     = length(var.n) < 3
                    error_message = "Expected two at most, given ${length(var.n)}."
                  }
                }
                variable "s" {
                  type      = object({ a = string })
                  sensitive = true
                }
                job "x" { group "g" { task "t" { driver = "d" } } }
                """;
        Variables values = Variables.none()
                .withFile(Source.of("v.hcl", "n = [1, 2, 3]\nextra = 1\n"))
                .withFlag("s", "{ b = hunter2 }")
                .withFlag("m", "1")
                .withEnvironment(java.util.Map.of("NOMAD_VAR_other", "ignored"));
        assertEquals("""
                -var s:1,7-14: Unknown variable; There is no "[REDACTED]" here; text is written in quotes.
                v.hcl:1,5-14: Invalid value for variable; var.n: Expected two at most, given 3. (The rule is at f.hcl:4,5.)
                v.hcl:2,1-6: Undeclared variable; The file declares no variable "extra".
                -var m:1,1-1: Undeclared variable; The file declares no variable "m". Did you mean "n"?""", lines(file, values));
        String shown = FaultText.plain().render(faults("f.hcl", file, values));
        assertFalse(shown.contains("{ b ="), shown);
    }

    @Test
    void theStrongestValueOfAVariableWins() {
        String file = """
                variable "n" { default = "default" }
                job "x" {
                  meta = { n = var.n }
                  group "g" { task "t" { driver = "d" } }
                }
                """;
        Variables nomad = Variables.none().withEnvironment(java.util.Map.of("NOMAD_VAR_n", "nomad"));
        Variables both =
                Variables.none().withEnvironment(java.util.Map.of("NOMAD_VAR_n", "nomad", "CLEAT_VAR_n", "cleat"));
        Variables files = both.withFile(Source.of("v", "n = 1")).withFile(Source.of("w", "n = 2"));
        assertEquals("default", meta(file, Variables.none()));
        assertEquals("nomad", meta(file, nomad));
        assertEquals("cleat", meta(file, both));
        assertEquals("2", meta(file, files));
        assertEquals("flag", meta(file, files.withFlag("n", "flag")));
    }

    @Test
    void aMountOfNoVolumeNamesTheNearest() {
        String file = """
                job "x" {
                  group "g" {
                    volume "data" {
                      type   = "csi"
                      source = "v"
                    }
                    task "t" {
                      driver = "d"
                      volume_mount {
                        volume      = "dat"
                        destination = "/d"
                      }
                    }
                  }
                }
                """;
        assertEquals(
                "f.hcl:10,23-28: Unknown volume; The group has no volume \"dat\". Did you mean \"data\"?",
                lines(file, Variables.none()));
    }

    @Test
    void jsonFaultsHaveTheirPlacesToo() {
        String file = """
                {
                  "Job": {
                    "ID": 7,
                    "Priorty": 50,
                    "TaskGroups": [{"Name": "g", "Count": 1.5, "Tasks": {}}],
                    "Unknown": null
                  }
                }
                """;
        assertEquals("""
                f.hcl:3,11-12: Invalid value; Expected a string, given a number.
                f.hcl:4,5-14: Unsupported key; This version of Cleat does not know the key "Priorty" here. Did you mean "Priority"?
                f.hcl:5,43-46: Invalid value; Expected a whole number from -2147483648 to 2147483647.
                f.hcl:5,57-58: Invalid value; Expected a list, given an object.""", lines(file, Variables.none()));
        assertTrue(lines("{\"Job\": {]", Variables.none()).startsWith("f.hcl:1,10-11: Invalid JSON;"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e99999999999", "1e-99999999999", "1e1001"})
    void aNumberThatNoMachineHoldsIsAFaultAtItsPlace(String number) {
        assertEquals(
                "f.hcl:1,20-" + (20 + number.length()) + ": Number too long; A number may have 1000 digits.",
                lines("{\"Job\": {\"Version\":" + number + "}}", Variables.none())
                        .lines()
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void coloursAndControlCharactersDoNotMix() {
        String file = "a = \u001b[2J 1";
        String coloured = FaultText.coloured().render(faults("f.hcl", file, Variables.none()));
        assertTrue(coloured.contains("\u001b[1;31mError: "), coloured);
        assertFalse(coloured.contains("\u001b[2J"), coloured);
    }

    @Test
    void ofALongLineThePartAroundTheFaultIsShown() {
        String x = "x".repeat(1000);
        String shown = rendered("locals { a = \"" + x + "\" , b = [" + x + "] }");
        assertTrue(shown.lines().allMatch(line -> line.length() < 500), shown);
        List<String> lines = shown.lines().toList();
        int source = lines.indexOf(
                lines.stream().filter(l -> l.contains(" , b")).findFirst().orElseThrow());
        assertEquals(',', lines.get(source).charAt(lines.get(source + 1).indexOf('^')), shown);
    }

    @Test
    void whatComesBehindAFaultIsReadToo() {
        assertEquals("""
                f.hcl:2,14-15: Invalid expression; Expected a value, found "}".
                f.hcl:4,3-4: Attribute or block expected; Expected the name of an attribute or block, found "=".
                f.hcl:6,15-16: New line expected; Expected a new line behind a value, found b.""", lines("""
                        job "x" {
                          meta { a = }
                          priority = 3
                          = 4
                          group "g" {
                            count = 1 b
                            task "t" { driver = "d" }
                          }
                        }
                        """, Variables.none()));
    }

    private static String rendered(String file) {
        return FaultText.plain().render(faults("job.hcl", file, Variables.none()));
    }

    private static String lines(String file, Variables variables) {
        return new Parsed.Bad<Job>(faults("f.hcl", file, variables)).lines();
    }

    private static List<io.cleat.jobspec.hcl.Fault> faults(String name, String file, Variables variables) {
        return switch (JobFile.parse(Source.of(name, file), variables, FixedRuntime.runtime())) {
            case Parsed.Good<Job> good -> throw new AssertionError("no fault: " + good);
            case Parsed.Bad<Job> bad -> bad.faults();
        };
    }

    private static String meta(String file, Variables variables) {
        return switch (JobFile.parse(Source.of("f.hcl", file), variables, FixedRuntime.runtime())) {
            case Parsed.Good<Job>(Job job) -> String.valueOf(job.Meta()).replaceAll("[{}]|n=", "");
            case Parsed.Bad<Job> bad -> throw new AssertionError(bad.lines());
        };
    }
}
