# Run each night.
job "backup" {
  type = "batch"

  periodic {
    crons            = ["0 3 * * *", "@weekly"]
    prohibit_overlap = true
    time_zone        = "Europe/Berlin"
    enabled          = true
  }

  group "g" {
    task "copy" {
      driver = "exec"

      config {
        command = "/bin/true"
      }
    }
  }
}
