import Foundation

extension Catalogue {
    /// Copies the first app with its newest release, its report and its profile.
    func addApps(_ count: Int, on bench: Workbench) throws {
        let first = "apps/\(publication.app)"
        let app = try read(first + "/app.json")
        let release = try read(first + "/releases/1.0.0-1.json")
        guard let digest = value(of: "report", in: release) else {
            throw BenchmarkFailure.unexpected(program: "ota publish", output: release)
        }
        let report = try read(blob(digest))
        guard let profile = value(of: "uuid", in: report), count > 1 else { return }
        for number in 1..<count {
            let copy = named(number, report).replacing(profile, with: identifier(number))
            try write(copy, to: "reports/\(number)")
        }
        let reports = try digests(ofFilesIn: "\(store)/reports", on: bench)
        for number in 1..<count {
            let copy = reports["\(number)"] ?? ""
            try write(try read("reports/\(number)"), to: blob(copy))
            let folder = "apps/\(self.app(number))"
            try write(named(number, app), to: folder + "/app.json")
            try write(
                named(number, release).replacing(digest, with: copy),
                to: folder + "/releases/1.0.0-1.json",
            )
        }
        try FileManager.default.removeItem(atPath: store + "/reports")
        try register(count, profile)
    }

    /// Registers the copies' page paths and profiles.
    private func register(_ count: Int, _ profile: String) throws {
        try changeRegister("slugs.json") { register in
            var apps = register["apps"] as? [String: Any] ?? [:]
            for number in 1..<count { apps["bench-\(number)"] = app(number) }
            register["apps"] = apps
        }
        try changeRegister("profiles.json") { register in
            var profiles = register["profiles"] as? [String: Any] ?? [:]
            guard let first = profiles[profile] as? [String: Any] else { return }
            for number in 1..<count {
                var copy = first
                copy["uuid"] = identifier(number)
                copy["name"] = "iOS Team Ad Hoc Provisioning Profile: \(app(number))"
                copy["applicationIdentifier"] = "OTASAMPLE1.\(app(number))"
                copy["uses"] = (first["uses"] as? [[String: Any]] ?? []).map { use in
                    use.merging(["app": app(number)]) { _, new in new }
                }
                profiles[identifier(number)] = copy
            }
            register["profiles"] = profiles
        }
    }

    private func named(_ number: Int, _ document: String) -> String {
        document.replacing(publication.app, with: app(number))
            .replacing("\"slug\" : \"sample\"", with: "\"slug\" : \"bench-\(number)\"")
            .replacing("\"title\" : \"Sample\"", with: "\"title\" : \"Bench \(number)\"")
    }

    private func identifier(_ number: Int) -> String {
        String(format: "00000000-0000-4000-8000-%012x", number)
    }

    private func blob(_ digest: String) -> String { "blobs/sha256/\(digest.prefix(2))/\(digest)" }

    private func digests(ofFilesIn folder: String, on bench: Workbench) throws -> [String: String] {
        let script = "cd \"$0\" && exec sha256sum -- *"
        let lines = try bench.run("sh", "-c", script, folder).output.split(separator: "\n")
        let pairs = lines.map { $0.split(separator: " ") }.filter { $0.count == 2 }
        return Dictionary(pairs.map { (String($0[1]), String($0[0])) }) { first, _ in first }
    }
}
