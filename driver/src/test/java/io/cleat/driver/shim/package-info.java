@NullMarked
package io.cleat.driver.shim;

import org.jspecify.annotations.NullMarked;
