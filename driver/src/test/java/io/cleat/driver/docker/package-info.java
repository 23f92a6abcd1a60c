@NullMarked
package io.cleat.driver.docker;

import org.jspecify.annotations.NullMarked;
