package io.cleat.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConstraintTest {
    @ParameterizedTest(name = "{1} {0} {2} -> {3}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    =                | linux       | linux           | true
                    =                | linux       | darwin          | false
                    !=               | linux       | darwin          | true
                    !=               |             | darwin          | true
                    is_set           | x           |                 | true
                    is_set           |             |                 | false
                    is_not_set       |             |                 | true
                    <                | 9           | 10              | true
                    >=               | 2           | 10              | false
                    <                | abc         | abd             | true
                    version          | 1.7.2       | >= 1.6, < 2.0   | true
                    version          | 2.0.0       | >= 1.6, < 2.0   | false
                    version          | 1.7.0-beta1 | >= 1.6          | false
                    semver           | 1.7.0-beta1 | >= 1.6.0        | true
                    semver           | 1.7.0-beta.2 | > 1.7.0-beta.10 | false
                    version          | 1.2.9       | ~> 1.2.3        | true
                    version          | 1.3.0       | ~> 1.2.3        | false
                    version          | 1.9         | ~> 1.2          | true
                    version          | nonsense    | >= 1            | false
                    version          | 1.0         | nonsense        | false
                    regexp           | vm-17       | ^vm-[0-9]+$     | true
                    regexp           | vm-17       | (               | false
                    set_contains     | a,b,c       | a, c            | true
                    set_contains     | a,b         | a,c             | false
                    set_contains_any | a,b         | c,b             | true
                    =                |             | linux           | false
                    """)
    void table(String operand, String left, String right, boolean met) {
        assertEquals(met, ConstraintFilter.isMet(operand, left, right));
    }
}
