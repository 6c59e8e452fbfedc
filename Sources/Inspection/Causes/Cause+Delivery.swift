/// What goes wrong between server and phone, and after the installation.
extension Cause {
    static let delivery: [Cause] = [
        Cause(
            75,
            "The manifest names another bundle identifier",
            [],
            .elsewhere("`ota` takes it from the build; `ota doctor` compares both."),
        ),
        Cause(
            76,
            "A link is not HTTPS, or its certificate is not trusted",
            [],
            .elsewhere("`ota serve` makes only HTTPS links; `ota doctor` tries them as a phone."),
        ),
        Cause(
            77,
            "The manifest's title is empty",
            [],
            .elsewhere("`ota` makes a title if the build has none; `ota doctor` checks it."),
        ),
        Cause(78, "Developer Mode is off"),
        Cause(79, "An extension needs a newer iOS than the app"),
        Cause(
            80,
            "An intermediate certificate is missing or too old",
            ["0xe8008018", "0xe8008019"],
        ),
        Cause(81, "An App Clip does not belong to its app"),
        Cause(82, "A browser engine extension does not match its entitlements"),
    ]
}
