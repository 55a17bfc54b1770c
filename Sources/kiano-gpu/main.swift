print("kiano-gpu")
