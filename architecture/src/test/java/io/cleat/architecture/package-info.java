/**
 * Tests of the tree as a whole.
 *
 * <p>Receives: the classes, sources, poms and documents of all modules. Hands on: nothing. Runs on: the test's thread.
 * If it fails: each test lists every place that breaks its rule, with the file.
 */
@NullMarked
package io.cleat.architecture;

import org.jspecify.annotations.NullMarked;
