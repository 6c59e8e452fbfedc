import Foundation
import TestSupport
import Testing

/// `ota status`: what needs attention and an overview, on one screen.
struct StatusCommandTests {
    @Test func `a store without a worry says so, and one without slots is urgent`() async throws {
        try await Workplace.run { place in
            _ = try await place.json("devices", "slots", "--renews", "2027-03-14")
            let calm = try await place.ota("status")
            #expect(calm.status == 0)
            #expect(calm.output.hasPrefix("Nothing needs attention.\n"))
            #expect(calm.output.contains("0 apps, 0 releases"))
            var list = "Device ID\tDevice Name\tDevice Platform\n"
            for number in 0..<100 {
                list += "00008120-\(1_000_000_000_000_000 + number)\tPhone \(number)\tios\n"
            }
            let imported = try await place.ota(["devices", "import", "-"], input: list)
            #expect(imported.status == 0)
            let full = try await place.ota("status")
            #expect(full.status == 1)
            #expect(full.output.contains("urgent   No iPhone slots left"))
            #expect(full.output.contains("waiting  100 devices to register with Apple"))
            #expect(full.output.contains("iPhone: 100 of 100 slots used"))
            let document = try await place.ota("status", "--json")
            #expect(document.status == 1)
            let status = try JSON(document.output)
            #expect(status["devices"].number == 100 && status["pending"].number == 0)
            let levels = status["attention"].items.map { $0["level"].string }
            #expect(levels == ["waiting", "urgent"])
        }
    }

    @Test func `an app that no one can sign in to is urgent`() async throws {
        try await Workplace.run { place in
            _ = try await place.json("apps", "add", "com.example.demo", "--access", "sign-in")
            let status = try await place.ota("status")
            #expect(status.status == 1)
            #expect(status.output.contains("urgent   No one can open demo"))
            _ = try await place.json("apps", "set", "com.example.demo", "--access", "open")
            #expect(try await !place.ota("status").output.contains("No one can open"))
        }
    }
}
