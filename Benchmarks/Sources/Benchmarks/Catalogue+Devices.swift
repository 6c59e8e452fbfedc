import Foundation

extension Catalogue {
    /// Adds registered devices; the register accepts more than Apple allows in a year.
    func addDevices(_ count: Int, on bench: Workbench) throws {
        try bench.importDevices(count: 1, into: store)
        try changeRegister("devices.json") { register in
            guard let first = (register["devices"] as? [[String: Any]])?.first else { return }
            register["devices"] = (1...count).map { number in
                let own = [
                    "name": "Tester \(number)", "udid": Self.identifier(ofDevice: number),
                ]
                return first.merging(own) { _, new in new }
            }
        }
    }
}

extension Workbench {
    /// Fills a store's register with registered phones.
    func importDevices(count: Int, into store: String) throws {
        let lines = (1...count).map { number in
            "\(Catalogue.identifier(ofDevice: number))\tTester \(number)\tios"
        }
        let list = (["Device ID\tDevice Name\tDevice Platform"] + lines).joined(separator: "\n")
        try write(list + "\n", to: "devices.txt")
        try run(
            [ota, "devices", "import", path("devices.txt"), "--registered", "--store", store]
        )
    }
}
