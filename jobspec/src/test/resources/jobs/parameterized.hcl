# Run when somebody asks.
job "restore" {
  type = "batch"

  parameterized {
    payload       = "required"
    meta_required = ["volume"]
    meta_optional = ["to"]
  }

  group "g" {
    task "copy" {
      driver = "exec"

      dispatch_payload {
        file = "request.json"
      }

      config {
        command = "/bin/true"
      }
    }
  }
}
