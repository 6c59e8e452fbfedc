/// What goes wrong between server and phone, and after the installation.
extension Cause {
    static let delivery: [Cause] = [
        Cause(
            75,
            "The manifest names another bundle identifier",
            [],
            .elsewhere("The manifest is made of the build's own; `ota doctor` compares both."),
        ),
        Cause(
            76,
            "A link is not HTTPS, or its certificate is not trusted",
            [],
            .elsewhere("`ota serve` makes HTTPS links alone; `ota doctor` tries them as a phone."),
        ),
        Cause(
            77,
            "The manifest's title is empty",
            [],
            .elsewhere("A title is made where the build has none; `ota doctor` looks."),
        ),
        Cause(78, "Developer Mode is off"),
        Cause(79, "An extension needs a newer iOS than the app"),
        Cause(
            80,
            "An intermediate certificate is missing or too old",
            ["0xe8008018", "0xe8008019"],
        ),
        Cause(81, "An App Clip does not belong to its app"),
        Cause(82, "A browser engine's extension and its entitlements do not fit"),
    ]
}
